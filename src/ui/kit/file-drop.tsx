import { ImageUp } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './file-drop.module.css';

interface FileDropProps {
  label: string;
  hint?: string;
  icon?: ReactNode;
  /** The accepted media types. */
  accept: readonly string[];
  /** The maximum size in bytes. */
  most: number;
  /** The errors of a file of another type, and of a file above the maximum size. */
  wrongType: string;
  tooLarge: string;
  /** Whether the last file is still being handled. Other files are ignored meanwhile. Default: false. */
  busy?: boolean;
  onFile(file: File): void;
}

/**
 * Accepts one file, chosen or dropped. A file of another type or above the maximum size shows an error and is not
 * passed on.
 */
export function FileDrop(props: FileDropProps) {
  const { label, hint, icon = <ImageUp />, accept, most, wrongType, tooLarge, busy = false, onFile } = props;
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  function take(file: File): void {
    // Browsers apply `accept` to chosen files and not to dropped ones.
    const wrong = !accept.includes(file.type) ? wrongType : file.size > most ? tooLarge : null;
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
        {/* The input covers the whole field, so that the browser treats a dropped file as a chosen one. */}
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
            // The value is cleared, so that the user can choose the same file again.
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
