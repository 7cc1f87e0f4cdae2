/** Runs in the page of the gallery, beside axe-core: shows a scene, and returns its faults. */
import type Axe from 'axe-core';

declare const axe: typeof Axe;

/** The scene of the gallery, and the width of the window. */
export interface Look {
  readonly scene: string;
  readonly locale: 'zh-Hant' | 'en';
  readonly theme: 'dark' | 'light';
  readonly width: number;
}

/** The checks: all rules of axe or those that a theme can break, the size of targets, and the width. */
export type Check = 'rules' | 'colours' | 'targets' | 'width';

const STILL_FRAMES = 2;

/** Themes differ only in colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Checks a scene, and returns one line for each fault.
 *
 * @param patienceMs - how long the scene may take to become stable, milliseconds.
 */
export async function faults(look: Look, checks: readonly Check[], patienceMs: number): Promise<string[]> {
  await arrive(look, AbortSignal.timeout(patienceMs));
  const found: string[] = [];
  for (const check of checks) found.push(...(await CHECKS[check]()));
  return found;
}

const CHECKS: Record<Check, () => string[] | Promise<string[]>> = {
  rules: () => violations({}),
  colours: () => violations({ runOnly: OF_COLOURS }),
  targets: smallTargets,
  width: tooWide,
};

/** Waits until the scene is shown in the requested look, and neither changes nor moves. */
async function arrive({ scene, locale, theme, width }: Look, gaveUp: AbortSignal): Promise<void> {
  const isThere = (): boolean => {
    const { dataset, lang } = document.documentElement;
    return dataset['scene'] === scene && dataset['theme'] === theme && lang.startsWith(locale) && innerWidth === width;
  };
  let frames = 0;
  const watcher = new MutationObserver(() => (frames = 0));
  watcher.observe(document, { childList: true, characterData: true, subtree: true });
  location.hash = new URLSearchParams({ scene, locale, theme }).toString();
  while (!isThere() || frames < STILL_FRAMES) {
    await orGiveUp(new Promise(requestAnimationFrame), gaveUp, `${scene} did not come to rest`);
    frames += 1;
  }
  watcher.disconnect();
  for (let ending = endingAnimations(); ending.length > 0; ending = endingAnimations()) {
    const ended = Promise.allSettled(ending.map((animation) => animation.finished));
    await orGiveUp(ended, gaveUp, `${scene} goes on moving`);
  }
}

function orGiveUp(promise: Promise<unknown>, gaveUp: AbortSignal, why: string): Promise<unknown> {
  return Promise.race([
    promise,
    new Promise((_, reject) => gaveUp.addEventListener('abort', () => reject(new Error(why)), { once: true })),
  ]);
}

const endingAnimations = (): Animation[] =>
  document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity);

async function violations(options: Axe.RunOptions): Promise<string[]> {
  const results = await axe.run(document, {
    ...options,
    resultTypes: ['violations'],
    elementRef: false,
    xpath: false,
    ancestry: false,
    // None of the rules reads style sheets.
    preload: { assets: ['media'] },
  });
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => `${id}: ${html} ${[...any, ...all, ...none][0]?.message ?? ''}`),
  );
}

const TARGETS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=menuitem], [role=tab], [tabindex="0"]';
const LEAST = 44;
const LEAST_INLINE = 24;
/** Half pixels come from the layout. */
const NEARLY = 0.5;

/** Returns the targets that are too small for a finger (WCAG 2.2, 2.5.5; within a line of text 2.5.8). */
function smallTargets(): string[] {
  return [...document.querySelectorAll<HTMLElement>(TARGETS)].flatMap((target) => {
    if (!isPressable(target)) return [];
    const { width, height } = sizeOf(target);
    const least = isInline(target) ? LEAST_INLINE : LEAST;
    if (width >= least - NEARLY && height >= least - NEARLY) return [];
    return [`a target of ${Math.round(width)} x ${Math.round(height)}, least ${least}: ${tagOf(target)}`];
  });
}

function isPressable(target: HTMLElement): boolean {
  if (target.matches(':disabled, [inert] *') || !target.checkVisibility({ visibilityProperty: true })) return false;
  const { clipPath, pointerEvents } = getComputedStyle(target);
  return clipPath === 'none' && pointerEvents !== 'none';
}

/** The label is part of the target. */
function sizeOf(target: HTMLElement): { width: number; height: number } {
  const labels = target instanceof HTMLInputElement ? [...(target.labels ?? [])] : [];
  const boxes = [target, ...labels].map((element) => element.getBoundingClientRect());
  return {
    width: Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left)),
    height: Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)),
  };
}

const isInline = (target: HTMLElement): boolean => getComputedStyle(target).display === 'inline';

/** Returns the elements that reach beyond the window, or make a sheet scroll sideways. */
function tooWide(): string[] {
  const areas = [document.documentElement, ...document.querySelectorAll<HTMLElement>('main, [role$=dialog]')];
  return areas.flatMap((area) => {
    if (['hidden', 'clip'].includes(getComputedStyle(area).overflowX)) return [];
    const excess = area.scrollWidth - (area === document.documentElement ? innerWidth : area.clientWidth);
    if (excess <= 0) return [];
    const { right } = area.getBoundingClientRect();
    const edge = area === document.documentElement ? innerWidth : right;
    const beyond = [...area.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > edge + 1,
    );
    return [`${excess} px too wide for ${innerWidth}: ${tagOf(area)} by ${beyond.slice(0, 3).map(tagOf).join(' ')}`];
  });
}

const tagOf = (element: Element): string =>
  element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1) + (element.textContent ?? '').trim().slice(0, 20);
