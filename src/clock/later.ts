import { AT_REST, type Clock, goLater } from './clock.js';

/**
 * What a clock's callback will bring. Who waits goes on within that callback, not in a microtask after it; all else is
 * as with a promise that is never rejected.
 */
export class Later<T> implements PromiseLike<T> {
  #settled = false;
  #value: T | undefined;
  #goOn: ((value: T) => unknown) | undefined;

  /** One that is there already. */
  static of<T>(value: T): Later<T> {
    const later = new Later<T>();
    later.settle(value);
    return later;
  }

  /** Has who waits go on; returns AT_REST when who waits last returned that, which says that nothing asynchronous came of it. */
  settle(value: T): unknown {
    this.#settled = true;
    this.#value = value;
    return this.#goOn === undefined ? value : this.#goOn(value);
  }

  /** One waits at a time. */
  then<A = T>(onValue?: ((value: T) => A | PromiseLike<A>) | null): PromiseLike<A> {
    if (onValue === undefined || onValue === null)
      return this as PromiseLike<unknown> as PromiseLike<A>;
    if (this.#settled) {
      const next = onValue(this.#value as T);
      return isThenable(next) ? next : Later.of(next);
    }
    const later = new Later<A>();
    this.#goOn = (value) => follow(later, onValue(value));
    return later;
  }
}

/** The value, so many milliseconds from now. */
export function after<T>(clock: Clock, delay: number, value: T): Later<T> {
  const later = new Later<T>();
  goLater(clock, () => later.settle(value), delay);
  return later;
}

/** Settles it with what has come, or will. */
function follow<T>(later: Later<T>, come: T | PromiseLike<T>): unknown {
  if (!isThenable(come)) return later.settle(come);
  const next = come.then((value) => later.settle(value));
  return next instanceof Later ? AT_REST : undefined;
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
