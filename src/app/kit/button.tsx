import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import styles from './button.module.css';

/** `primary` is what most people want here, at most once a screen; `danger` cannot be undone; `plain` is only its words. */
type ButtonLook = 'primary' | 'quiet' | 'danger' | 'plain';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  /** It is at work on the last press, and takes no other. */
  busy?: boolean;
}

/** A button; an icon is a child before the words. While it is busy it keeps the focus and its width. */
export function Button({ look = 'quiet', busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={buttonClass(look, className)}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {busy && <LoaderCircle aria-hidden="true" className={styles.spinner} />}
    </button>
  );
}

/** A link that looks like a button: it leads somewhere, and does nothing else. */
export function LinkButton({ look = 'quiet', className, ...rest }: LinkProps & { look?: ButtonLook }) {
  return <Link {...rest} className={buttonClass(look, className)} />;
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** What it is called: read out, and shown to whoever hovers. */
  label: string;
  icon: ReactNode;
}

/** A button that is an icon. */
export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} className={`${styles.iconButton} ${className}`}>
      {icon}
    </button>
  );
}

/** For what is neither and looks like a button. */
export function buttonClass(look: ButtonLook, more = ''): string {
  return `${styles.button} ${styles[look]} ${more}`;
}
