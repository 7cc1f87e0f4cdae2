import { useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../kit/button.tsx';
import { useStore } from '../store/use-store.ts';
import styles from './dialog-host.module.css';
import type { AppDialogs, OpenDialog } from './dialogs.ts';

interface DialogHostProps {
  dialogs: Pick<AppDialogs, 'open'>;
  /** The labels of the buttons of a dialog that brings none: an alert has `ok`, a question the two others. */
  okLabel: string;
  confirmLabel: string;
  cancelLabel: string;
}

/** Shows the open dialog above everything else. The user answers it before taking a call, which takes a moment. */
export function DialogHost({ dialogs, ...labels }: DialogHostProps) {
  const open = useStore(dialogs.open);
  return open === null ? null : <AlertDialog key={open.id} dialog={open} {...labels} />;
}

interface AlertDialogProps extends Omit<DialogHostProps, 'dialogs'> {
  dialog: OpenDialog;
}

/** Shows a question that must be answered. The safe answer has the focus, and Escape selects it. */
function AlertDialog({ dialog, okLabel, confirmLabel, cancelLabel }: AlertDialogProps) {
  const { kind, question, action, answer } = dialog;
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
        {kind === 'confirm' && <Button onClick={() => answer(false)}>{cancel ?? cancelLabel}</Button>}
        <Button look={isDangerous ? 'danger' : 'primary'} onClick={() => answer(true)}>
          {confirm ?? (kind === 'alert' ? okLabel : confirmLabel)}
        </Button>
      </div>
    </dialog>
  );
}
