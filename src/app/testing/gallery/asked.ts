import * as v from 'valibot';

const asked = v.object({
  scene: v.fallback(v.string(), ''),
  locale: v.fallback(v.picklist(['zh-Hant', 'en']), 'zh-Hant'),
  theme: v.fallback(v.picklist(['dark', 'light']), 'dark'),
});

/** Which scene is asked for, and how it is to look. */
export type Asked = v.InferOutput<typeof asked>;

/** `?scene=home&theme=light`, over which goes what stands behind the `#`: that can change without loading anew. */
export function readAsked({ search, hash }: Pick<Location, 'search' | 'hash'>): Asked {
  const over = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return v.parse(asked, { ...Object.fromEntries(new URLSearchParams(search)), ...over });
}
