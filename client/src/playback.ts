/** What time it is in the motion: playing, speed, loop, and who wants to know. */

export type Listener = (frame: number) => void;

export class Playback {
  private seconds = 0;
  private running = false;
  private listeners = new Set<Listener>();
  private stateListeners = new Set<() => void>();
  /** Times faster than captured; below 0 backwards. */
  speed = 1;
  loop = true;
  /** Frames between which it plays, both included; the whole motion without it. */
  range: [number, number] | null = null;
  private frames = 1;
  private rate = 30;

  get fps(): number {
    return this.rate;
  }

  get total(): number {
    return this.frames;
  }

  get playing(): boolean {
    return this.running;
  }

  get time(): number {
    return this.seconds;
  }

  /** With fractions between frames. */
  get frame(): number {
    return this.seconds * this.rate;
  }

  /** Another length or rate: the time stays where it is, as far as it exists. */
  setLength(total: number, fps: number): void {
    this.frames = Math.max(total, 1);
    this.rate = fps;
    this.seek(this.frame);
    this.told();
  }

  /** Go to a frame, at most the last. */
  seek(frame: number): void {
    const bounded = Math.min(Math.max(frame, 0), this.frames - 1);
    this.seconds = bounded / this.rate;
    for (const listener of this.listeners) listener(bounded);
  }

  /** Stop and go to a whole frame that is so many further. */
  step(by: number): void {
    this.pause();
    this.seek(Math.round(this.frame) + by);
  }

  play(): void {
    if (this.running || this.frames < 2) return;
    const [first, last] = this.bounds();
    if (this.speed > 0 && this.frame >= last) this.seek(first);
    if (this.speed < 0 && this.frame <= first) this.seek(last);
    this.running = true;
    this.told();
  }

  pause(): void {
    if (!this.running) return;
    this.running = false;
    this.told();
  }

  toggle(): void {
    if (this.running) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.told();
  }

  /** So many seconds have passed. */
  tick(elapsed: number): void {
    if (!this.running) return;
    const [first, last] = this.bounds();
    const next = this.frame + elapsed * this.speed * this.rate;
    if (next >= first && next <= last) {
      this.seek(next);
      return;
    }
    if (this.loop) {
      this.seek(this.speed < 0 ? last : first);
      return;
    }
    this.seek(this.speed < 0 ? first : last);
    this.pause();
  }

  /** Told of every new frame. */
  onFrame(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Told when it starts, stops, or gets another speed or length. */
  onState(listener: () => void): () => void {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }

  private bounds(): [number, number] {
    const last = this.frames - 1;
    if (this.range === null) return [0, last];
    return [Math.max(this.range[0], 0), Math.min(this.range[1], last)];
  }

  private told(): void {
    for (const listener of this.stateListeners) listener();
  }
}
