import * as v from 'valibot';
import type { Services } from '../services/services.ts';

const look = v.object({ locale: v.picklist(['zh-Hant', 'en']), theme: v.picklist(['dark', 'light']) });

/** `#locale=en&theme=light` changes how the scene looks, and nothing else: what played on stays. */
export function followLook({ locale, theme }: Services): void {
  addEventListener('hashchange', () => {
    const asked = v.safeParse(look, Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    if (!asked.success) return;
    locale.choose(asked.output.locale);
    theme.choose(asked.output.theme);
  });
}
