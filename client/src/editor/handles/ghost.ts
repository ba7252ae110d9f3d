/** The last accepted motion beside the new one: while something is dragged, until it settles. */

import type { Stage } from "../../scene";
import type { Track } from "../../track";
import type { Store } from "../store";

export class Ghost {
  private kept = new Map<string, Track>();
  /** Whether it stays when nothing is dragged. */
  private stays = false;

  constructor(
    private readonly stage: Stage,
    private readonly store: Store,
  ) {
    store.on(["isDragging"], (state, before) => {
      if (!state.isDragging && before.isDragging) this.hide();
    });
  }

  /** Keep what is shown now as what was. */
  begin(): void {
    if (this.stays) return;
    this.kept = this.copies();
    this.show();
  }

  /** Show it all the time, or only during drags. */
  toggle(): boolean {
    this.stays = !this.stays;
    if (this.stays) {
      this.kept = this.copies();
      this.show();
    } else this.clear();
    return this.stays;
  }

  private hide(): void {
    if (!this.stays) this.clear();
  }

  private copies(): Map<string, Track> {
    const { who } = this.store.now;
    const track = who === null ? null : this.stage.figures.get(who)?.track;
    return who === null || !track ? new Map() : new Map([[who, track.clone()]]);
  }

  private show(): void {
    for (const [who, track] of this.kept) this.stage.setGhost(who, track);
  }

  private clear(): void {
    for (const who of this.kept.keys()) this.stage.setGhost(who, null);
    this.kept.clear();
  }
}
