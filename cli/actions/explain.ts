/** The action of `ringback explain`: prints the description of a word, or the words. */
import { didYouMean } from '../../sim/format/near-word.ts';
import { explain, type Explanation, isTopic, type Topic, TOPICS, wordsOf } from '../../sim/scenario/format/explain.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { explanationText, wordsText } from '../reporters/explanation.ts';

/**
 * Prints the description of a word. Without a name, prints a line for each word of the topic.
 * @throws CommandError (usage) when the topic or the word does not exist.
 */
export function printExplanation(topic: string, name: string | undefined, isJson: boolean): void {
  const found = find(topic, name);
  if (isJson) processOutput.out.write(`${JSON.stringify(found, null, 2)}\n`);
  else processOutput.out.write(Array.isArray(found) ? wordsText(found) : explanationText(found));
}

function find(topic: string, name: string | undefined): Explanation | Explanation[] {
  if (topic === 'list') {
    if (name === undefined) return TOPICS.flatMap(explainAll);
    throw new CommandError(`list has no words: leave ${name} out.`, EXIT.usage);
  }
  if (!isTopic(topic)) {
    const owner = TOPICS.find((one) => wordsOf(one).includes(topic));
    const meant = owner ? ` (did you mean ${owner} ${topic}?)` : didYouMean(topic, [...TOPICS, 'list']);
    throw new CommandError(
      `There is no topic ${topic}${meant || `: they are ${TOPICS.join(', ')} and list`}`,
      EXIT.usage,
    );
  }
  const [only, ...others] = wordsOf(topic);
  if (name === undefined && others.length > 0) return explainAll(topic);
  const found = explain(topic, name ?? (only as string));
  if (found) return found;
  const meant = didYouMean(name as string, wordsOf(topic)) || `; ringback explain ${topic} lists them`;
  throw new CommandError(`There is no ${topic} ${name}${meant}`, EXIT.usage);
}

const explainAll = (topic: Topic): Explanation[] => wordsOf(topic).map((name) => explain(topic, name) as Explanation);
