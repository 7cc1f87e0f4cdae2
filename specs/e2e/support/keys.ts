/** A user with only a keyboard, who checks the focus after each key. */
import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test';

export interface Keys {
  /** Tabs on, or back, until the focus is there. */
  to(target: Locator): Promise<void>;
  /** Tabs there, and presses a key: Enter where none is named. */
  press(target: Locator, key?: string): Promise<void>;
  /** Presses keys where the focus is, one after the other. */
  hit(...keys: readonly string[]): Promise<void>;
  /** Tabs there, and writes in the place of what stood there. */
  write(target: Locator, text: string): Promise<void>;
  /**
   * It has the focus, and keeps it when the page has been drawn: only then a browser takes it from what cannot have it.
   */
  stays(target: Locator): Promise<void>;
}

/** The browser's, and those in which the app looks after it. */
const FRAMES_TO_SETTLE = 4;
/** More stops than any screen has between two things. */
const MOST_STOPS = 120;

export function keysOf(page: Page): Keys {
  const lookAtFocus = (): Promise<void> =>
    expect.poll(() => page.evaluate(faultOfFocus), 'where the focus is').toBeNull();
  async function hit(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await page.keyboard.press(key);
      await lookAtFocus();
    }
  }

  async function to(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    // To find an element by its role is dear: it is found once, and again only where the page has put another in its
    // place.
    let element = await elementOf(target);
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      const way = await element.evaluate(wayTo);
      if (way === 'there') return;
      if (way === 'gone') element = await elementOf(target);
      else await hit(way);
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  return {
    hit,
    to,
    async press(target, key = 'Enter') {
      await to(target);
      await hit(key);
    },
    async write(target, text) {
      await to(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await lookAtFocus();
    },
    async stays(target) {
      await expect(target).toBeFocused();
      await page.evaluate(drawn, FRAMES_TO_SETTLE);
      expect(await target.evaluate((element) => element === document.activeElement), 'it has the focus still').toBe(
        true,
      );
    },
  };
}

async function elementOf(target: Locator): Promise<ElementHandle> {
  const element = await target.elementHandle();
  if (!element) throw new Error(`${String(target)} is not there`);
  return element;
}

/** In the page: the key that leads to an element; whether it has the focus, or is no longer in the page. */
function wayTo(element: Node): 'Tab' | 'Shift+Tab' | 'there' | 'gone' {
  const focused = document.activeElement ?? document.body;
  if (element === focused) return 'there';
  if (!element.isConnected) return 'gone';
  return element.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Shift+Tab' : 'Tab';
}

/** In the page: so many frames have been drawn. */
async function drawn(frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
}

/** In the page: what is wrong with the focus; null where it can be seen, and what has it too. */
function faultOfFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'the focus is lost';
  const name = focused.outerHTML.slice(0, 120);
  if (!focused.checkVisibility({ visibilityProperty: true })) return `the focus is on what is not to be seen: ${name}`;
  // What is read out when it comes, and not pressed: headings, screens and sheets.
  if (focused.getAttribute('tabindex') === '-1' && !focused.matches('button, a, input')) return null;
  if (![focused, ...standIns(focused)].some(hasRing)) return `the focus has no ring: ${name}`;
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  return isInWindow ? null : `the focus is out of sight: ${name}`;

  /** What shows the ring of an input that is drawn by others: its label, or what stands behind it in that. */
  function standIns(element: Element): Element[] {
    const label = element.closest('label');
    return [element.nextElementSibling, label].filter((one) => one !== null);
  }

  function hasRing(element: Element): boolean {
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && Number(opacity) > 0;
  }
}
