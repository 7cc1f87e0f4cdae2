import styles from './mosaic.module.css';

const FACES = [1, 2, 3, 4, 5, 6];

/** Six people who are nobody, and the sign of a call. Bundled: the first thing that is seen needs no server. */
export function Mosaic() {
  return (
    <ul className={`landing-mosaic ${styles.mosaic}`} aria-hidden="true">
      {FACES.map((face) => (
        <li key={face}>
          <img src={`/faces/${face}.svg`} alt="" width={600} height={800} fetchPriority="high" draggable={false} />
        </li>
      ))}
    </ul>
  );
}
