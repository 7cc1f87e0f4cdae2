import { type ReadableStore, createStore } from '../../core/store/store.ts';

interface Alert {
  title: string;
  text?: string;
  /** The button's words. */
  confirm?: string;
}

/** Something to do about what is told, before it is put away. */
export interface AlertAction {
  label: string;
  run(): void;
}

export interface Question extends Alert {
  cancel?: string;
  /** What is agreed to cannot be undone. */
  isDangerous?: boolean;
}

/** Asks and tells. A port: the default is a dialog of the app's own, `windowDialogs` the browser's. */
export interface Dialogs {
  /** Resolves to whether it was agreed to; not, when `signal` takes the question back. Questions wait for each other. */
  confirm(question: Question, signal?: AbortSignal): Promise<boolean>;
  /** Resolves when it was read. */
  alert(alert: Alert, action?: AlertAction): Promise<void>;
}

/** What is being asked: the picture of it is `DialogHost`. */
export interface OpenDialog {
  readonly id: number;
  readonly kind: 'confirm' | 'alert';
  readonly question: Question;
  readonly action: AlertAction | null;
  answer(agreed: boolean): void;
}

export interface AppDialogs extends Dialogs {
  /** The one that is on the screen. */
  readonly open: ReadableStore<OpenDialog | null>;
}

/** Dialogs of the app's own: one at a time, in the order they were asked for. */
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
