/**
 * The emphasis in a diagram: a step with its causal past and future, or the causal past of a violation. All other
 * steps are faded. Pure.
 */

import { futureOf, pastOf, within } from "./causality.js";

/** @import { SpaceTime, Step } from "./space-time.js" */
/**
 * The emphasised step, or the violation whose past is emphasised.
 *
 * @typedef {{ seq: number, isViolation: boolean }} Chosen
 */
/**
 * The emphasised step, and a function that returns whether a step is emphasised. All other steps are faded.
 *
 * @typedef {{ selected: Step | null, isMeant: (step: Step) => boolean }} Meant
 */

/** @type {Meant} */
const ALL = { selected: null, isMeant: () => true };

export class Attention {
  /** @type {Chosen | null} */
  chosen = null;
  #found = { diagram: /** @type {SpaceTime | null} */ (null), until: -1, chosen: this.chosen, meant: ALL };

  clear() {
    this.chosen = null;
  }

  /** Emphasises a step. If the step is already emphasised, removes the emphasis. @param {Step} step */
  toggle({ seq }) {
    this.chosen = this.chosen?.seq === seq ? null : { seq, isViolation: false };
  }

  /**
   * Moves the emphasis to the next violation, and after the last violation to the first.
   *
   * @template {{ seq: number }} V
   * @param {readonly V[]} violations
   * @returns {V | undefined} The emphasised violation, or undefined if there are no violations.
   */
  next(violations) {
    const place = violations.findIndex(({ seq }) => this.chosen?.isViolation && seq === this.chosen.seq);
    const next = violations[(place + 1) % Math.max(1, violations.length)];
    if (next !== undefined) this.chosen = { seq: next.seq, isViolation: true };
    return next;
  }

  /**
   * Returns which steps are emphasised. Caches the result until new events arrive or the selection changes.
   *
   * @param {SpaceTime} diagram
   */
  in(diagram) {
    const { chosen } = this;
    const found = this.#found;
    if (found.diagram !== diagram || found.until !== diagram.until || found.chosen !== chosen) {
      this.#found = { diagram, until: diagram.until, chosen, meant: meantIn(diagram, chosen) };
    }
    return this.#found.meant;
  }
}

/** @param {SpaceTime} diagram @param {Chosen | null} chosen @returns {Meant} */
function meantIn(diagram, chosen) {
  if (chosen === null) return ALL;
  const { seq, isViolation } = chosen;
  const broken = isViolation ? diagram.violations.find((one) => one.seq === seq) : undefined;
  if (broken !== undefined) return { selected: null, isMeant: within(pastOf(diagram, broken.steps), null) };
  const step = diagram.stepAt(seq);
  if (step === undefined) return ALL;
  return { selected: step, isMeant: within(pastOf(diagram, [step]), futureOf(diagram, [step])) };
}
