import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import styles from './button.module.css';
import { resting } from './resting.ts';

/** `primary` is what most people want here, at most once a screen; `danger` cannot be undone; `plain` is only its words. */
type ButtonLook = 'primary' | 'quiet' | 'danger' | 'plain';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  /** It is at work on the last press, and takes no other. */
  busy?: boolean;
}

/**
 * A button; an icon is a child before the words. While it is busy or disabled it keeps the focus, which whoever has just pressed it
 * would lose otherwise.
 */
export function Button({ look = 'quiet', busy = false, disabled = false, className, ...props }: ButtonProps) {
  const { children, onClick, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      {...resting(busy || disabled, onClick)}
      aria-busy={busy || undefined}
      className={buttonClass(look, className)}
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
export function IconButton({ label, icon, disabled = false, className = '', onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      {...resting(disabled, onClick)}
      aria-label={label}
      className={`${styles.iconButton} ${className}`}
    >
      {icon}
    </button>
  );
}

/** For what is neither and looks like a button. */
export function buttonClass(look: ButtonLook, more = ''): string {
  return `${styles.button} ${styles[look]} ${more}`;
}
