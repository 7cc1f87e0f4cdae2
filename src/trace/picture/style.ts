/**
 * The style of pictures, light and dark: a style sheet for a separate picture, or for the page that contains it.
 * Colors are the web app's.
 */

const LIGHT =
  '--ink:#2b1a2a;--dim:#73616f;--ground:#fff;--sunken:#f7f1ef;--line:#e6dbe1;--rose:#c91f4d;--good:#0a6640;--way:#4a5bc4;--trouble:#a85a00;--bad:#c2261c;--over:#8a7a88';
const DARK =
  '--ink:#f6f1ee;--dim:#b6a7b6;--ground:#1c1420;--sunken:#281d2c;--line:#413346;--rose:#ff8aa0;--good:#74dba9;--way:#a6b4ff;--trouble:#f7b964;--bad:#ff8c7f;--over:#9c8c9d';

/** Returns the colors for the selector `root`. A printed page is light. */
export const paletteOf = (root: string): string =>
  `${root}{${LIGHT}}@media screen and (prefers-color-scheme:dark){${root}{${DARK}}}`;

export const PICTURE_RULES = `
.picture{font:12px ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif}.picture text{fill:var(--ink)}
.picture .ground{fill:var(--ground)}.picture .dim{fill:var(--dim)}.picture .end{text-anchor:end}.picture .mid{text-anchor:middle}
.picture .strong{font-weight:650}.picture .num{fill:var(--dim);text-anchor:end;font-variant-numeric:tabular-nums}
.picture .small{font-size:11px}.picture .grid{stroke:var(--line);stroke-width:1}.picture .sunken{fill:var(--sunken)}
.picture .way{--hue:var(--way)}.picture .good{--hue:var(--good)}.picture .trouble{--hue:var(--trouble)}.picture .bad{--hue:var(--bad)}
.picture .over{--hue:var(--over)}.picture .rose{--hue:var(--rose)}
.picture .bar{fill:var(--hue);fill-opacity:.2;stroke:var(--hue);stroke-width:1.2}.picture .band{fill:var(--hue);fill-opacity:.75}
.picture .ghost{stroke:var(--hue);stroke-width:1.4;stroke-dasharray:2 4;fill:none}.picture .pin{fill:var(--hue)}
.picture .words{fill:var(--hue)}.picture .shaft{stroke:var(--hue);stroke-width:1.5;fill:none}.picture .broken{stroke-dasharray:5 4}
.picture .strip{fill:var(--hue);fill-opacity:.13}.picture .halo{paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}.picture .lane{stroke:var(--line);stroke-width:1.5}.picture .box{fill:var(--sunken);stroke:var(--line)}
`;

/** The style of a separate picture. */
export const PICTURE_STYLE = `${paletteOf('svg')}${PICTURE_RULES}`;

/** Returns the approximate width of a text, in pixels. */
export const widthOf = (text: string): number => text.length * 6.4;

/** Returns the text, shortened to the available width in pixels. */
export function fitted(text: string, space: number): string {
  const most = Math.floor(space / 6.4);
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
