import type { Toasts } from './toasts.ts';

interface Outside {
  readonly toasts: Pick<Toasts, 'show'>;
  readonly logger: { warn(message: string, detail?: unknown): void };
}

/**
 * Copies a text, and shows a toast with the result. Pages over plain http have no clipboard, and browsers may refuse
 * it.
 */
export async function copyText(
  text: string,
  words: { readonly copied: string; readonly refused: string },
  { toasts, logger }: Outside,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(words.copied);
  } catch (error) {
    logger.warn('a text was not copied', error);
    toasts.show(words.refused);
  }
}
