import type { Page } from '@playwright/test'

type Value = { readonly value?: string | number | boolean }
type AxNode = {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: Value
  readonly name?: Value
  readonly description?: Value
  readonly properties?: readonly { readonly name: string; readonly value: Value }[]
  readonly childIds?: readonly string[]
  readonly parentId?: string
}

/** Boxes without a meaning of their own, and the lines that a text is broken into. */
const SILENT = new Set(['generic', 'none', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker'])

/** Their text is their name. What a live region said last is said once, when it changes. */
const WHOLE = new Set([
  'alert',
  'button',
  'checkbox',
  'combobox',
  'heading',
  'img',
  'image',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'status',
  'switch',
  'DisclosureTriangle',
  'term',
  'tab',
  'textbox',
])

/** States that a screen reader says. */
const STATES = ['level', 'checked', 'pressed', 'selected', 'expanded', 'disabled', 'invalid', 'required', 'modal']

/**
 * What a screen reader meets on the page, in its order: Chromium’s accessibility tree, a line for each element that is
 * said, with its role, name and states. Times and numbers that differ from run to run are `#`.
 */
export async function readingOrder(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: readonly AxNode[] }
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const root = nodes.find(({ parentId }) => parentId === undefined)
  return root === undefined ? [] : [...linesOf(root, byId, 0)]
}

/** `isNamed`: the texts are those of the name of what is around. */
function* linesOf(node: AxNode, byId: ReadonlyMap<string, AxNode>, depth: number, isNamed = false): Generator<string> {
  const role = String(node.role?.value ?? 'none')
  const name = String(node.name?.value ?? '').trim()
  const isText = role === 'StaticText'
  const isSaid = !node.ignored && !SILENT.has(role) && !(isText && (name === '' || isNamed))
  if (isSaid) yield `${'  '.repeat(depth)}${lineOf(node, role, name)}`
  for (const id of node.childIds ?? []) {
    const child = byId.get(id)
    if (child !== undefined) yield* linesOf(child, byId, isSaid ? depth + 1 : depth, isNamed || WHOLE.has(role))
  }
}

function lineOf(node: AxNode, role: string, name: string): string {
  const states = (node.properties ?? [])
    .filter((property) => STATES.includes(property.name) && property.value.value !== false)
    .filter((property) => !(property.name === 'invalid' && property.value.value === 'false'))
    .map((property) =>
      property.value.value === true ? property.name : `${property.name} ${String(property.value.value)}`,
    )
    .toSorted((a, b) => a.localeCompare(b))
  const what = role === 'StaticText' ? 'text' : role
  return [what, name === '' ? '' : `“${steady(name)}”`, states.length === 0 ? '' : `[${states.join(', ')}]`]
    .filter((part) => part !== '')
    .join(' ')
}

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const DAYS = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Today|Yesterday'
const UNSTEADY = [
  /\b\d{1,2}:\d{2}(?: [AP]M)?\b/g,
  new RegExp(`\\b\\d{1,2} (?:${MONTHS})\\b|\\b\\d{1,2}/\\d{1,2}/\\d{4}\\b`, 'g'),
  new RegExp(`\\b(?:${DAYS})\\b`, 'gi'),
  /(?<=Parlor )\d+|127\.0\.0\.1:\d+/g,
]

/** Without what differs from run to run and from day to day. */
const steady = (text: string): string => UNSTEADY.reduce((all, pattern) => all.replaceAll(pattern, '#'), text)
