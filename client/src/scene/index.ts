/** The scene as others use it. */
export { Stage, type StageOptions } from "./stage";
export { Figure } from "./figure";
export type { Hit } from "./pick";
export { CHARACTER_COLORS, PALETTES, preferredScheme, type Palette, type Scheme } from "./colors";
export { heightOf, isSurface } from "./terrain";
export type { View } from "./rig";
