/** Things drawn in the world, by kind: checkpoints, targets, paths, solids, surfaces. */
import {
  DoubleSide,
  EdgesGeometry,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RingGeometry,
  SphereGeometry,
  CircleGeometry,
  Vector3,
  type BufferGeometry,
  type Material,
} from "three";
import type { Drawable, Ground, Point3 } from "../model";
import type { Palette } from "./colors";
import { arrowShape, onGround, ribbon } from "./shapes";
import { solidGeometry } from "./solids";
import { isSurface, type HeightOf } from "./terrain";

export interface Look {
  palette: Palette;
  height: HeightOf;
  selected: boolean;
}

/** An object and where its words stand. */
export interface Drawn {
  object: Group;
  anchor: Vector3 | null;
}

const LIFT = 0.009;
/** Radius of a checkpoint's ring, of what the mouse hits of it, and of a joint's target, metres. */
const RING = 0.2;
const HIT = 0.3;
const BALL = 0.045;
/** A velocity is drawn as the way of this time, seconds. */
const VELOCITY_TIME = 0.25;

type Maker = (d: Drawable, look: Look) => Drawn;

function inkOf(d: Drawable, look: Look, fallback: string): string {
  if (look.selected) return look.palette.select;
  return typeof d.color === "string" ? d.color : fallback;
}

function flat(geometry: BufferGeometry, color: string, opacity = 1): Mesh {
  const material = new MeshBasicMaterial({
    color,
    opacity,
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
  return new Mesh(geometry, material);
}

/** Nothing to see, but the mouse hits it. */
function unseen(geometry: BufferGeometry): Mesh {
  return new Mesh(geometry, new MeshBasicMaterial({ visible: false, side: DoubleSide }));
}

function ring(d: Drawable, look: Look): Drawn {
  const [x, z] = d.position as Ground;
  const object = new Group();
  const color = inkOf(d, look, look.palette.target);
  const wide = look.selected ? 1.25 : 1;
  const band = flat(new RingGeometry(RING - 0.032 * wide, RING, 40).rotateX(-Math.PI / 2), color);
  const disc = flat(new CircleGeometry(RING, 40).rotateX(-Math.PI / 2), color, 0.16);
  object.add(disc, band, unseen(new CircleGeometry(HIT, 16).rotateX(-Math.PI / 2)));
  if (typeof d.facing === "number") {
    const arrow = flat(onGround(arrowShape(0.5, 0.035, 0.13)), color);
    arrow.rotation.y = (d.facing * Math.PI) / 180;
    arrow.position.y = 0.002;
    object.add(arrow);
  }
  object.position.set(x, look.height(x, z) + LIFT, z);
  return { object, anchor: object.position };
}

function point(d: Drawable, look: Look): Drawn {
  const object = new Group();
  const color = inkOf(d, look, look.palette.target);
  const material = new MeshLambertMaterial({ color, transparent: true, opacity: 0.8 });
  object.add(new Mesh(new SphereGeometry(look.selected ? 1.25 * BALL : BALL, 18, 12), material));
  object.add(unseen(new SphereGeometry(0.09, 8, 6)));
  const place = new Vector3(...(d.position as Point3));
  if (Array.isArray(d.velocity)) {
    const tip = new Vector3(...(d.velocity as Point3)).multiplyScalar(VELOCITY_TIME);
    object.add(lineOf([new Vector3(), tip], color));
  }
  const drop = place.y - look.height(place.x, place.z);
  object.add(lineOf([new Vector3(), new Vector3(0, -drop, 0)], color, 0.45));
  object.position.copy(place);
  return { object, anchor: object.position };
}

function lineOf(places: Vector3[], color: string, opacity = 1): LineSegments {
  const material = new LineBasicMaterial({ color, transparent: true, opacity });
  const line = new LineSegments(undefined, material);
  line.geometry.setFromPoints(places);
  return line;
}

function path(d: Drawable, look: Look): Drawn {
  const object = new Group();
  const color = inkOf(d, look, look.palette.way);
  const points = (d.points ?? []) as Ground[];
  const places = points.flatMap(([x, z]) => [x, look.height(x, z) + LIFT / 2, z]);
  if (points.length > 1) {
    object.add(flat(ribbon(places, look.selected ? 0.045 : 0.03), color, 0.85));
    object.add(unseen(ribbon(places, 0.16)));
  }
  for (const [x, z] of (d.knots ?? []) as Ground[]) {
    const knot = flat(new CircleGeometry(0.06, 20).rotateX(-Math.PI / 2), color);
    knot.position.set(x, look.height(x, z) + LIFT, z);
    object.add(knot);
  }
  const [first] = points;
  return { object, anchor: first ? new Vector3(first[0], LIFT, first[1]) : null };
}

function solid(d: Drawable, look: Look): Drawn {
  const object = new Group();
  const geometry = solidGeometry(d);
  if (geometry === null) return { object, anchor: null };
  const surface = isSurface(d);
  const color = inkOf(d, look, surface ? look.palette.earth : look.palette.obstacle);
  const material = new MeshLambertMaterial({
    color,
    side: surface ? DoubleSide : FrontSide,
    flatShading: surface,
    transparent: !surface,
    opacity: surface ? 1 : 0.5,
    depthWrite: surface,
    polygonOffset: true,
    polygonOffsetFactor: 1,
  });
  object.add(new Mesh(geometry, material));
  const edges = new LineBasicMaterial({ color, transparent: true, opacity: surface ? 0.35 : 0.9 });
  if (d.kind !== "heightmap") object.add(new LineSegments(new EdgesGeometry(geometry, 30), edges));
  const up = upArrow(d);
  if (up !== null) object.add(up);
  geometry.computeBoundingBox();
  const box = geometry.boundingBox;
  const anchor = box ? box.getCenter(new Vector3()).setY(box.max.y) : null;
  return { object, anchor };
}

/** An arrow up a slope or stairs, along their noses; null for other things. */
function upArrow(d: Drawable): Mesh | null {
  const climb = climbOf(d);
  if (climb === null) return null;
  const [x, z] = (d.start ?? [0, 0]) as Ground;
  const length = Math.min(Math.hypot(climb.far, climb.high), 3);
  const arrow = flat(arrowShapeGeometry(length), "#ffffff", 0.85);
  arrow.rotation.set(-Math.atan2(climb.high, climb.far), (Number(d.heading ?? 0) * Math.PI) / 180, 0, "YXZ");
  arrow.position.set(x, climb.from + 0.05, z);
  arrow.renderOrder = 1;
  return arrow;
}

const arrowShapeGeometry = (length: number): BufferGeometry => onGround(arrowShape(length, 0.06, 0.25));

/** How far and high it goes, and where its noses begin, metres. */
function climbOf(d: Drawable): { far: number; high: number; from: number } | null {
  if (d.kind === "stairs") {
    const [rise, tread, steps] = [Number(d.rise ?? 0.17), Number(d.tread ?? 0.3), Number(d.steps ?? 1)];
    return { far: tread * steps, high: rise * steps, from: rise };
  }
  if (d.kind !== "slope") return null;
  const far = Number(d.length ?? 3);
  return { far, high: far * Math.tan((Number(d.steepness ?? 0) * Math.PI) / 180), from: 0 };
}

function note(d: Drawable): Drawn {
  const object = new Group();
  object.position.set(...(d.position as Point3));
  return { object, anchor: object.position };
}

const MAKERS: Record<string, Maker> = {
  ring,
  point,
  path,
  note,
  cylinder: solid,
  box: solid,
  slope: solid,
  stairs: solid,
  heightmap: solid,
};

/** What is drawn of a thing; kinds that are not known are not drawn. */
export function draw(drawable: Drawable, look: Look): Drawn {
  const make = MAKERS[drawable.kind];
  return make ? make(drawable, look) : { object: new Group(), anchor: null };
}

/** Free what a drawn thing holds. */
export function disposeDrawn(drawn: Drawn): void {
  drawn.object.traverse((part) => {
    if (!(part instanceof Mesh || part instanceof LineSegments)) return;
    (part.geometry as BufferGeometry).dispose();
    (part.material as Material).dispose();
  });
}
