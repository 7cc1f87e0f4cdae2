import { ImageUp } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './file-drop.module.css';

interface FileDropProps {
  label: string;
  hint?: string;
  icon?: ReactNode;
  /** Media types. */
  accept: readonly string[];
  /** The most bytes it may have. */
  most: number;
  /** It is at work on the last file, and takes no other. */
  busy?: boolean;
  onFile(file: File): void;
}

/** Takes one file, chosen or dropped. What is of no kind that is taken, or too large, is said here and goes no further. */
export function FileDrop({ label, hint, icon = <ImageUp />, accept, most, busy = false, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  function take(file: File): void {
    // A browser heeds `accept` for what is chosen, and not for what is dropped.
    const wrong = !accept.includes(file.type) ? m.file_wrong_type() : file.size > most ? m.refusal_too_large() : null;
    setFault(wrong);
    if (wrong === null) onFile(file);
  }

  return (
    <div className={styles.field}>
      <label className={styles.drop} data-over={isOver || undefined}>
        <span aria-hidden="true" className={styles.icon}>
          {icon}
        </span>
        <span className={styles.label}>{label}</span>
        {/* It lies over all of the field: what is dropped on it is chosen, as the platform has it. */}
        <input
          type="file"
          accept={accept.join(',')}
          disabled={busy}
          aria-busy={busy || undefined}
          aria-label={label}
          aria-invalid={fault !== null || undefined}
          aria-describedby={`${id}-fault ${id}-hint`}
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={() => setIsOver(false)}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) take(file);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      </label>
      <p id={`${id}-fault`} className={styles.fault} aria-live="polite">
        {fault}
      </p>
    </div>
  );
}
