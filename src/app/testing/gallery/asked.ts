import * as v from 'valibot';

const asked = v.object({
  scene: v.fallback(v.string(), ''),
  locale: v.fallback(v.picklist(['zh-Hant', 'en']), 'zh-Hant'),
  theme: v.fallback(v.picklist(['dark', 'light']), 'dark'),
});

/** The scene that the address selects, with its language and theme. */
export type Asked = v.InferOutput<typeof asked>;

/**
 * Reads the scene from `?scene=home&theme=light`. The fragment overrides the query, because it can change without a
 * page load.
 */
export function readAsked({ search, hash }: Pick<Location, 'search' | 'hash'>): Asked {
  const over = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return v.parse(asked, { ...Object.fromEntries(new URLSearchParams(search)), ...over });
}
