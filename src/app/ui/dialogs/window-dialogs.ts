import type { Dialogs } from './dialogs.ts';

/** The browser's own dialogs, for a host that wants those: they know one text, and their buttons have the browser's words. */
export function windowDialogs(page: Pick<Window, 'confirm' | 'alert'>): Dialogs {
  const whole = ({ title, text }: { title: string; text?: string }): string =>
    text === undefined ? title : `${title}\n\n${text}`;
  return {
    confirm: (question) => Promise.resolve(page.confirm(whole(question))),
    alert: (alert) => Promise.resolve(page.alert(whole(alert))),
  };
}
