/**
 * Counts a mutant that prevents a test file from loading as detected. Stryker counts only failed tests, so a file that
 * does not load gets one here.
 */
import { test, TestRunner } from 'vitest';

export default class LoadingTestRunner extends TestRunner {
  override async importFile(...[path, source]: Parameters<TestRunner['importFile']>): Promise<unknown> {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      if (source !== 'collect') throw error;
      return test('the file loads', () => {
        throw error;
      });
    }
  }
}
