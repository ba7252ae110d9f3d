/** Small geometries: ribbons on the ground, rings, arrows, soles, prisms and surfaces. */
import { BufferAttribute, BufferGeometry, ShapeGeometry, Shape } from "three";

export function geometryOf(vertices: number[], faces: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(vertices), 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

/** A flat band of a width along points [N, 3]. */
export function ribbon(points: ArrayLike<number>, width: number): BufferGeometry {
  const count = points.length / 3;
  const vertices: number[] = [];
  const faces: number[] = [];
  let sx = 1;
  let sz = 0;
  for (let i = 0; i < count; i++) {
    const a = Math.max(i - 1, 0) * 3;
    const b = Math.min(i + 1, count - 1) * 3;
    const dx = Number(points[b]) - Number(points[a]);
    const dz = Number(points[b + 2]) - Number(points[a + 2]);
    const length = Math.hypot(dx, dz);
    if (length > 1e-6) [sx, sz] = [dz / length, -dx / length];
    const [x, y, z] = [Number(points[i * 3]), Number(points[i * 3 + 1]), Number(points[i * 3 + 2])];
    vertices.push(x - (sx * width) / 2, y, z - (sz * width) / 2);
    vertices.push(x + (sx * width) / 2, y, z + (sz * width) / 2);
    if (i > 0) faces.push(2 * i - 2, 2 * i - 1, 2 * i, 2 * i - 1, 2 * i + 1, 2 * i);
  }
  return geometryOf(vertices, faces);
}

/** A flat shape given in x (to the left) and y (ahead), laid on the ground. */
export function onGround(shape: Shape, segments = 6): BufferGeometry {
  const geometry = new ShapeGeometry(shape, segments);
  const place = geometry.getAttribute("position");
  for (let i = 0; i < place.count; i++) place.setXYZ(i, place.getX(i), 0, place.getY(i));
  const index = geometry.getIndex();
  // Laid down, the faces would look into the ground.
  if (index) for (let i = 0; i < index.count; i += 3) {
    const first = index.getX(i);
    index.setX(i, index.getX(i + 1));
    index.setX(i + 1, first);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** Arrow along +Z from 0 to `length`. */
export function arrowShape(length: number, width: number, head: number): Shape {
  const shape = new Shape();
  shape.moveTo(-width / 2, 0);
  shape.lineTo(-width / 2, length - head);
  shape.lineTo(-head * 0.55, length - head);
  shape.lineTo(0, length);
  shape.lineTo(head * 0.55, length - head);
  shape.lineTo(width / 2, length - head);
  shape.lineTo(width / 2, 0);
  return shape;
}

/** A footprint pointing along +Z around its middle, 1 long. */
export function soleShape(): Shape {
  const shape = new Shape();
  shape.moveTo(0, -0.5);
  shape.bezierCurveTo(0.17, -0.5, 0.17, -0.3, 0.15, -0.1);
  shape.bezierCurveTo(0.14, 0.05, 0.2, 0.15, 0.19, 0.3);
  shape.bezierCurveTo(0.17, 0.52, -0.17, 0.52, -0.19, 0.3);
  shape.bezierCurveTo(-0.2, 0.15, -0.14, 0.05, -0.15, -0.1);
  shape.bezierCurveTo(-0.17, -0.3, -0.17, -0.5, 0, -0.5);
  return shape;
}

/** Upright solid with a convex outline [x, z], anticlockwise with +Z up and +X right. */
export function prism(outline: [number, number][], bottom: number, top: number): BufferGeometry {
  const vertices: number[] = [];
  const faces: number[] = [];
  const add = (x: number, y: number, z: number): number => vertices.push(x, y, z) / 3 - 1;
  outline.forEach(([x, z], i) => {
    const [u, w] = outline[(i + 1) % outline.length] as [number, number];
    const [a, b, c, d] = [add(x, bottom, z), add(u, bottom, w), add(u, top, w), add(x, top, z)];
    faces.push(a, d, b, b, d, c);
  });
  for (const [level, up] of [
    [bottom, false],
    [top, true],
  ] as const) {
    const ring = outline.map(([x, z]) => add(x, level, z));
    for (let i = 1; i + 1 < ring.length; i++) {
      const fan = [ring[0], ring[i], ring[i + 1]] as number[];
      faces.push(...(up ? fan.reverse() : fan));
    }
  }
  return geometryOf(vertices, faces);
}

/** A surface over a grid of places [rows][columns][x, y, z], each cell with corners of its own. */
export function gridSurface(grid: [number, number, number][][]): BufferGeometry {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i + 1 < grid.length; i++) {
    const row = grid[i] ?? [];
    const next = grid[i + 1] ?? [];
    for (let j = 0; j + 1 < row.length; j++) {
      const first = vertices.length / 3;
      for (const corner of [row[j], row[j + 1], next[j], next[j + 1]]) vertices.push(...(corner ?? [0, 0, 0]));
      faces.push(first, first + 2, first + 1, first + 1, first + 2, first + 3);
    }
  }
  return geometryOf(vertices, faces);
}
