/** Who is who, beside their heads: where there are several, colours alone do not tell. */

import type { Vector3 } from "three";
import type { Stage } from "../../scene";

export function showNames(stage: Stage, names: string[], before: string[]): void {
  const shown = names.length > 1 ? names : [];
  for (const who of before) if (!shown.includes(who)) stage.labels.remove(`who/${who}`);
  for (const who of shown) {
    const place = (): Vector3 | null => {
      const figure = stage.figures.get(who);
      const head = figure?.character.roles["head"];
      return figure === undefined || head === undefined ? null : figure.jointAt(head);
    };
    stage.labels.set(`who/${who}`, who, place, "who");
  }
  stage.invalidate();
}
