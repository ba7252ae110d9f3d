import { describe, expect, it, vi } from "vitest";
import { Playback } from "../src/playback";

function playing(total = 91, fps = 30): Playback {
  const playback = new Playback();
  playback.setLength(total, fps);
  playback.play();
  return playback;
}

describe("playback", () => {
  it("passes as fast as time, or as it is told", () => {
    const playback = playing();
    playback.tick(0.5);
    expect(playback.frame).toBeCloseTo(15);
    playback.setSpeed(0.5);
    playback.tick(1);
    expect(playback.frame).toBeCloseTo(30);
    playback.setSpeed(-1);
    playback.tick(0.5);
    expect(playback.frame).toBeCloseTo(15);
  });

  it("begins again at the end, or stops there", () => {
    const playback = playing();
    playback.seek(89);
    playback.tick(0.1);
    expect(playback.frame).toBe(0);
    playback.loop = false;
    playback.seek(89);
    playback.tick(0.1);
    expect([playback.frame, playback.playing]).toEqual([90, false]);
    playback.play();
    expect(playback.frame).toBe(0);
  });

  it("stays in its range", () => {
    const playback = playing();
    playback.range = [10, 20];
    playback.seek(20);
    playback.tick(0.1);
    expect(playback.frame).toBe(10);
  });

  it("steps by whole frames and stops", () => {
    const playback = playing();
    playback.tick(0.11);
    playback.step(1);
    expect([playback.frame, playback.playing]).toEqual([4, false]);
    playback.step(-100);
    expect(playback.frame).toBe(0);
    playback.step(1000);
    expect(playback.frame).toBe(90);
  });

  it("keeps its time when the length changes, as far as that exists", () => {
    const playback = playing();
    playback.seek(60);
    playback.setLength(300, 60);
    expect(playback.time).toBeCloseTo(2);
    playback.setLength(31, 30);
    expect(playback.frame).toBe(30);
  });

  it("does not play a single frame", () => {
    expect(playing(1).playing).toBe(false);
  });

  it("tells whoever listens, until they stop", () => {
    const playback = playing();
    const heard = vi.fn();
    const stop = playback.onFrame(heard);
    playback.seek(3);
    stop();
    playback.seek(4);
    expect(heard.mock.calls).toEqual([[3]]);
  });
});
