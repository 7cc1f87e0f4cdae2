import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import styles from './button.module.css';
import { resting } from './resting.ts';

/**
 * The look of a button. `primary` is the main action, at most once on a screen. `danger` cannot be undone. `plain`
 * shows only its text.
 */
type ButtonLook = 'primary' | 'quiet' | 'danger' | 'plain';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  /** Whether the button still handles the last press. It ignores other presses meanwhile. Default: false. */
  busy?: boolean;
}

/**
 * Renders a button. An icon is a child before the text. A busy or disabled button keeps the focus, so that a keyboard
 * user does not lose the place.
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

/** Renders a link that looks like a button. It only navigates. */
export function LinkButton({ look = 'quiet', className, ...rest }: LinkProps & { look?: ButtonLook }) {
  return <Link {...rest} className={buttonClass(look, className)} />;
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** The name of the button, for screen readers and as its tooltip. */
  label: string;
  icon: ReactNode;
}

/** Renders a button that shows only an icon. */
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

/** Returns the class for other elements that look like a button. */
export function buttonClass(look: ButtonLook, more = ''): string {
  return `${styles.button} ${styles[look]} ${more}`;
}
