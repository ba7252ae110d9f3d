/** The page's keyboard. */
import type { Playback } from "../playback";

type Act = () => void;

function bindings(playback: Playback, more: Record<string, Act>): Record<string, Act> {
  const shuttle = (speed: number): void => {
    playback.setSpeed(speed);
    playback.play();
  };
  return {
    " ": () => {
      playback.toggle();
    },
    k: () => {
      playback.toggle();
    },
    j: () => {
      shuttle(playback.playing && playback.speed < 0 ? 2 * playback.speed : -1);
    },
    l: () => {
      shuttle(playback.playing && playback.speed >= 1 ? 2 * playback.speed : 1);
    },
    ArrowLeft: () => {
      playback.step(-1);
    },
    ArrowRight: () => {
      playback.step(1);
    },
    PageUp: () => {
      playback.step(-Math.round(playback.fps));
    },
    PageDown: () => {
      playback.step(Math.round(playback.fps));
    },
    Home: () => {
      playback.pause();
      playback.seek(0);
    },
    End: () => {
      playback.pause();
      playback.seek(playback.total - 1);
    },
    ...more,
  };
}

/** What has a use of its own for the keys: fields, and space on buttons and boxes. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  const target = event.target as Element | null;
  if (target?.matches("select, textarea")) return true;
  return event.key === " " && (target?.matches("button, input[type=checkbox]") ?? false);
}

export function bindKeys(playback: Playback, more: Record<string, Act>): void {
  const keys = bindings(playback, more);
  addEventListener(
    "keydown",
    (event) => {
      const act = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!act || isTaken(event)) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
    true,
  );
}
