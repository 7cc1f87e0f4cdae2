import type { Dialogs } from './dialogs.ts';

/**
 * Returns the browser's own dialogs, for a host application that wants them. They show one text, and the browser labels
 * the buttons.
 */
export function windowDialogs(page: Pick<Window, 'confirm' | 'alert'>): Dialogs {
  const whole = ({ title, text }: { title: string; text?: string }): string =>
    text === undefined ? title : `${title}\n\n${text}`;
  return {
    confirm: (question) => Promise.resolve(page.confirm(whole(question))),
    alert: (alert) => Promise.resolve(page.alert(whole(alert))),
  };
}
