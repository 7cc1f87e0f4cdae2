import { useLayoutEffect } from 'react';
import { m } from '../../core/i18n/generated/messages.js';

/** Sets the title of the window. The last one on the page wins, so a screen may set a more exact title. */
export function WindowTitle({ title }: { title: string }) {
  useLayoutEffect(() => {
    document.title = title.includes(m.app_name()) ? title : m.window_title({ title, app: m.app_name() });
  }, [title]);
  return null;
}
