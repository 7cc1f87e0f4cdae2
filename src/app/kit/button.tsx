import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'quiet';
}

export function Button({ look = 'quiet', className, ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={buttonClass(look, className)} />;
}

/** For links that look like buttons. */
export function buttonClass(look: 'primary' | 'quiet', more = ''): string {
  return `${styles.button} ${styles[look]} ${more}`;
}
