import { EllipsisVertical } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import styles from './menu.module.css';

interface MenuItem {
  readonly key: string;
  readonly text: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  onChoose(): void;
}

interface MenuProps {
  /** The name of the button. */
  label: string;
  items: readonly MenuItem[];
}

/**
 * Renders a button and its menu of further actions. The browser's popover closes it on Escape and on a press outside.
 */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent): void {
    const all = Array.from(menu.current?.querySelectorAll('button') ?? []);
    const at = all.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  }

  /**
   * Opens the menu at once on an arrow key. After a press, the items get the focus when the browser reports the toggle.
   */
  function enter(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    menu.current?.showPopover();
    menu.current?.querySelector('button')?.focus();
  }

  return (
    <span className={styles.anchor} style={{ anchorName: `--menu-${id.replaceAll(/\W/g, '')}` }}>
      <IconButton
        label={label}
        icon={<EllipsisVertical aria-hidden="true" />}
        popoverTarget={id}
        aria-haspopup="menu"
        onKeyDown={enter}
      />
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={styles.menu}
        style={{ positionAnchor: `--menu-${id.replaceAll(/\W/g, '')}` }}
        onKeyDown={move}
        onToggle={(event) => {
          const isEntered = event.currentTarget.contains(document.activeElement);
          if (event.newState === 'open' && !isEntered) event.currentTarget.querySelector('button')?.focus();
        }}
      >
        {items.map((item) => (
          <ItemButton key={item.key} item={item} onClose={() => menu.current?.hidePopover()} />
        ))}
      </div>
    </span>
  );
}

function ItemButton({ item, onClose }: { item: MenuItem; onClose(): void }) {
  const { text, icon, isDangerous, onChoose } = item;
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-dangerous={isDangerous}
      onClick={() => {
        onClose();
        onChoose();
      }}
    >
      {icon}
      {text}
    </button>
  );
}
