// One thing at a time ([RV7]): tasks run alone, in the order they came; one that throws doesn't stop the next.

export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
