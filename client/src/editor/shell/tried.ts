/** Which shots the tips were dismissed for: in a cookie, as a studio may come back at another port. */

const NAME = "motionloom_tried";
/** So many shots are remembered, for so many seconds. */
const MOST = 20;
const YEAR = 31536000;

/** A shot's name as few letters (FNV-1a). */
export function short(name: string): string {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** The shots that a page's cookies tell of. */
export function triedIn(cookies: string): string[] {
  const own = cookies.split(";").map((one) => one.trim().split("="));
  const value = own.find(([name]) => name === NAME)?.[1] ?? "";
  return value.split(".").filter((one) => one !== "");
}

/** The cookie that remembers one shot more. */
export function triedCookie(cookies: string, file: string): string {
  const shots = [short(file), ...triedIn(cookies).filter((one) => one !== short(file))];
  return `${NAME}=${shots.slice(0, MOST).join(".")}; max-age=${String(YEAR)}; path=/; samesite=strict`;
}

export const wasTried = (cookies: string, file: string): boolean =>
  triedIn(cookies).includes(short(file));
