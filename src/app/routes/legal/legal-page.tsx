import { ArrowRight, ChevronDown, Printer, Search, SearchX } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { Brand } from '../../features/shell/brand.tsx';
import { LanguageChoice } from '../../features/shell/language-choice.tsx';
import { countWords, findWords } from './find-words.ts';
import styles from './legal.module.css';
import { type LegalSection, blocksOf } from './legal-section.ts';

interface LegalPageProps {
  title: string;
  lede: string;
  /** The day of the present version: 2026-11-16. */
  updated: string;
  sections: readonly LegalSection[];
  /** The other legal text, which this page links to. */
  other: { to: string; name: string };
}

/** Shows a long text with its contents. The user can search it, link to a section and print it. It needs no network. */
export function LegalPage({ title, lede, updated, sections, other }: LegalPageProps) {
  const [words, setWords] = useState('');
  const numbered = sections.map((section, index) => {
    const heading = `${index + 1}. ${section.title()}`;
    const text = section.text({ host: location.hostname });
    return { id: section.id, heading, text, found: countWords(heading, words) + countWords(text, words) };
  });
  const isSearching = words.trim() !== '';
  const found = numbered.reduce((sum, section) => sum + section.found, 0);
  const shown = isSearching ? numbered.filter((section) => section.found > 0) : numbered;

  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/home" className={styles.home}>
          <Brand />
        </Link>
        <LanguageChoice showLabel={false} />
      </header>
      <main className={styles.main}>
        <div className={styles.head}>
          <h1>{title}</h1>
          <p className={styles.lede}>{lede}</p>
          <p className={styles.updated}>
            <time dateTime={updated}>{m.legal_updated({ date: formatDate(updated) })}</time>
          </p>
        </div>
        <div className={styles.aside}>
          <SearchBox words={words} found={isSearching ? found : null} onChange={setWords} />
          {shown.length > 0 && <Contents entries={shown} />}
          <Button className={styles.print} onClick={() => print()}>
            <Printer aria-hidden="true" size={18} />
            {m.legal_print()}
          </Button>
        </div>
        <article className={styles.text}>
          {shown.map(({ id, heading, text }) => (
            <SectionText key={id} id={id} heading={heading} text={text} words={words} />
          ))}
          {shown.length === 0 && <NothingFound words={words} onClear={() => setWords('')} />}
          <p className={styles.other}>
            {m.legal_other()}
            <Link to={other.to}>
              {other.name}
              <ArrowRight aria-hidden="true" size={18} />
            </Link>
          </p>
        </article>
      </main>
    </div>
  );
}

/** Shows the contents beside the text. On a phone they are folded, so that the text is visible at once. */
function Contents({ entries }: { entries: readonly { id: string; heading: string }[] }) {
  const [isOpen, setIsOpen] = useState(() => matchMedia('(min-width: 1024px)').matches);
  return (
    <nav aria-label={m.legal_contents()}>
      <details className={styles.contents} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {m.legal_contents()}
          <ChevronDown aria-hidden="true" size={20} />
        </summary>
        <ol>
          {entries.map(({ id, heading }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={(event) => (event.preventDefault(), goTo(id))}>
                {heading}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

interface SearchBoxProps {
  words: string;
  /** The number of places with the sought words. Null without a search. */
  found: number | null;
  onChange(words: string): void;
}

function SearchBox({ words, found, onChange }: SearchBoxProps) {
  const id = useId();
  return (
    <search className={styles.search}>
      <label htmlFor={id} className="visually-hidden">
        {m.legal_search()}
      </label>
      <span className={styles.searchField}>
        <Search aria-hidden="true" size={18} />
        <input
          id={id}
          type="search"
          value={words}
          placeholder={m.legal_search()}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </span>
      <p role="status">{found !== null && m.legal_search_found({ count: found })}</p>
    </search>
  );
}

interface SectionTextProps {
  id: string;
  heading: string;
  text: string;
  /** The sought words, which are marked. */
  words: string;
}

function SectionText({ id, heading, text, words }: SectionTextProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        <Marked text={heading} words={words} />
      </h2>
      {blocksOf(text).map((block) =>
        block.kind === 'paragraph' ? (
          <p key={block.text}>
            <Marked text={block.text} words={words} />
          </p>
        ) : (
          <ul key={block.points.join()}>
            {block.points.map((point) => (
              <li key={point}>
                <Marked text={point} words={words} />
              </li>
            ))}
          </ul>
        ),
      )}
    </section>
  );
}

function NothingFound({ words, onClear }: { words: string; onClear(): void }) {
  return (
    <StateCard
      icon={<SearchX />}
      title={m.legal_search_nothing({ words: words.trim() })}
      hint={m.legal_search_nothing_hint()}
    >
      <Button onClick={onClear}>{m.legal_search_clear()}</Button>
    </StateCard>
  );
}

function Marked({ text, words }: { text: string; words: string }) {
  return findWords(text, words).map((piece) =>
    piece.isFound ? <mark key={piece.at}>{piece.text}</mark> : <span key={piece.at}>{piece.text}</span>,
  );
}

/**
 * Scrolls to a section and focuses its heading, as a link to it would. It works also when the router does not change
 * the address.
 */
function goTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
