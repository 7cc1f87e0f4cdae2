import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useSheetHost } from '../layers/layers-context.ts';
import { useFocusReturn } from '../layers/use-focus-return.ts';
import styles from './modal.module.css';

/** The props of a modal. */
export interface ModalProps {
  label: string;
  /** The name of the button that closes it. */
  closeLabel: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows a sheet on a phone, and a card on larger screens. The content below it is inert meanwhile. */
export function Modal(props: ModalProps) {
  const host = useSheetHost();
  return host === null ? null : createPortal(<Sheet {...props} />, host);
}

function Sheet({ label, closeLabel, onClose, children }: ModalProps) {
  const sheet = useRef<HTMLDivElement>(null);
  useFocusReturn();
  useEffect(() => sheet.current?.focus(), []);

  return (
    <div className={styles.scrim}>
      {/* A pointer closes the sheet here. The keyboard has Escape and the button. */}
      <div className={styles.outside} onClick={onClose} aria-hidden="true" />
      <div
        ref={sheet}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
        className={styles.modal}
        onKeyDown={(event) => {
          // Key events of a sheet that this sheet opened also bubble to it.
          const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
          if (event.key === 'Escape' && isOwn) onClose();
        }}
      >
        {children}
        <button type="button" className={styles.close} aria-label={closeLabel} onClick={onClose}>
          <X aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
