import { type ReadableStore, createStore } from '../../common/store.ts';

interface Alert {
  title: string;
  text?: string;
  /** The text of the button. Default: that of the host. */
  confirm?: string;
}

/** An action that the alert offers beside its confirmation. */
export interface AlertAction {
  label: string;
  run(): void;
}

/** The texts of a question. */
export interface Question extends Alert {
  cancel?: string;
  /** Whether the confirmed action cannot be undone. Default: false. */
  isDangerous?: boolean;
}

/** Dialogs that ask and inform the user. The default are the app's own; `windowDialogs` are the browser's. */
export interface Dialogs {
  /**
   * Asks a question. Questions are shown one after another. Resolves to whether the user agreed, and to false when
   * `signal` aborts.
   */
  confirm(question: Question, signal?: AbortSignal): Promise<boolean>;
  /** Shows an alert. Resolves when the user has closed it. */
  alert(alert: Alert, action?: AlertAction): Promise<void>;
}

/** A dialog that is open or waiting. `DialogHost` shows it. */
export interface OpenDialog {
  readonly id: number;
  readonly kind: 'confirm' | 'alert';
  readonly question: Question;
  readonly action: AlertAction | null;
  answer(agreed: boolean): void;
}

/** The app's own dialogs, with the one that `DialogHost` shows. */
export interface AppDialogs extends Dialogs {
  /** The dialog on the screen. Null without one. */
  readonly open: ReadableStore<OpenDialog | null>;
}

/** Creates the app's own dialogs. They are shown one at a time, in the order of the calls. */
export function createDialogs(): AppDialogs {
  const open = createStore<OpenDialog | null>(null);
  const waiting: OpenDialog[] = [];
  let asked = 0;

  function ask(about: Pick<OpenDialog, 'kind' | 'question' | 'action'>, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const dialog: OpenDialog = {
        ...about,
        id: (asked += 1),
        answer(agreed) {
          if (open.get() !== dialog) return;
          open.set(waiting.shift() ?? null);
          resolve(agreed);
        },
      };
      signal?.addEventListener('abort', () => {
        const at = waiting.indexOf(dialog);
        if (at >= 0) waiting.splice(at, 1);
        else dialog.answer(false);
        resolve(false);
      });
      if (open.get() === null) open.set(dialog);
      else waiting.push(dialog);
    });
  }

  return {
    open,
    confirm: (question, signal) => ask({ kind: 'confirm', question, action: null }, signal),
    alert: async (alert, action) => void (await ask({ kind: 'alert', question: alert, action: action ?? null })),
  };
}
