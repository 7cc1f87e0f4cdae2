import { useLayoutEffect } from 'react';
import { m } from '../../core/i18n/generated/messages.js';

/** Names the window after the screen. A later one on the page wins, so a screen may name it more exactly. */
export function WindowTitle({ title }: { title: string }) {
  useLayoutEffect(() => {
    document.title = title.includes(m.app_name()) ? title : m.window_title({ title, app: m.app_name() });
  }, [title]);
  return null;
}
