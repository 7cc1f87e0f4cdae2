import { useId, useLayoutEffect, useRef } from 'react';
import { m } from '../../app/core/i18n/generated/messages.js';
import { Button } from '../kit/button.tsx';
import { useUi } from '../../app/ui/use-ui.ts';
import { useStore } from '../store/use-store.ts';
import styles from './dialog-host.module.css';
import type { OpenDialog } from './dialogs.ts';

/** Shows the open dialog above everything else. The user answers it before taking a call, which takes a moment. */
export function DialogHost() {
  const { appDialogs } = useUi();
  const open = useStore(appDialogs.open);
  return open === null ? null : <AlertDialog key={open.id} dialog={open} />;
}

/** Shows a question that must be answered. The safe answer has the focus, and Escape selects it. */
function AlertDialog({ dialog: { kind, question, action, answer } }: { dialog: OpenDialog }) {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  const { title, text, confirm, cancel, isDangerous = false } = question;
  // The browser keeps the focus inside, makes everything below inert, and returns the focus on close. It returns the
  // focus only while the dialog is in the page. So the dialog closes before React removes it.
  useLayoutEffect(() => {
    const shown = box.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  return (
    <dialog
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={text === undefined ? undefined : `${id}-text`}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {text !== undefined && <p id={`${id}-text`}>{text}</p>}
      <div className={styles.actions}>
        {action !== null && <Button onClick={action.run}>{action.label}</Button>}
        {kind === 'confirm' && <Button onClick={() => answer(false)}>{cancel ?? m.dialog_cancel()}</Button>}
        <Button look={isDangerous ? 'danger' : 'primary'} onClick={() => answer(true)}>
          {confirm ?? (kind === 'alert' ? m.dialog_ok() : m.dialog_confirm())}
        </Button>
      </div>
    </dialog>
  );
}
