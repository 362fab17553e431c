import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

/**
 * The violations that axe finds in a part of a page, given by a selector; by all its rules, or by the named ones. It
 * runs in the page itself: Parlor's pages have no frames, so nothing is missed, and no second page is opened to merge
 * results. What passes is not described.
 */
export async function violationsIn(page: Page, part: string, rules?: readonly string[]): Promise<readonly Violation[]> {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    // Target size is a rule of WCAG 2.2 that axe leaves out unless asked.
    .options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
    .include(part)
  const { violations } = await (rules === undefined ? axe : axe.withRules([...rules])).analyze()
  return violations
}

/** The same as text: which rule, and the elements that break it. */
export async function brokenIn(page: Page, part: string): Promise<string[]> {
  const violations = await violationsIn(page, part)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
