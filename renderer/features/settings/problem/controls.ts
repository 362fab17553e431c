import { composerKey } from '#shared/domain/draft.ts'
import type { ReportControl } from '#shared/bridge/problem-report.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Pseudonyms } from '#shared/rules/desktop/filler.ts'

/** What a control can be found by again, without anything of the person's world. */
type Describe = { readonly names: Pseudonyms; readonly scrub: (name: string) => string }

const PLACES = '[data-message-id], [data-channel-item], [data-composer]'
const CONTROLS = 'button, a[href], input, textarea, select, summary, [role], [tabindex]'

/** Longer ones are no names. */
const LONGEST_NAME = 500

/** The control that was used, by the conversation or message around it, and its role and name. */
export function describeControl(target: Element, { names, scrub }: Describe): ReportControl | undefined {
  const place = target.closest<HTMLElement>(PLACES)
  const inside = place === null ? undefined : insideOf(place, names)
  const element = target.closest<HTMLElement>(CONTROLS)
  if (place !== null && (element === null || element === place || element.contains(place))) return { inside }
  if (element === null) return undefined
  const role = roleOf(element)
  const shown = (each: HTMLElement): string => {
    const name = scrub(nameOf(each))
    // So much text is what it contains.
    return name.length > LONGEST_NAME ? '' : name
  }
  const name = shown(element)
  const scope = place ?? document
  const alike = [...scope.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (each) => each.checkVisibility() && roleOf(each) === role && (name === '' || shown(each) === name),
  )
  return { inside, role, name: name === '' ? undefined : name, nth: Math.max(0, alike.indexOf(element)) }
}

function insideOf({ dataset }: HTMLElement, names: Pseudonyms): ReportControl['inside'] {
  const { messageId, channelItem, composer = '' } = dataset
  if (messageId !== undefined) return { kind: 'message', id: names.of('m', messageId) }
  if (channelItem !== undefined) return { kind: 'channel', id: names.of('c', channelItem) }
  const [cid = '', thread] = composer.split('/')
  const isThread = thread !== undefined && composerKey(asCid(cid), asMessageId(thread)) === composer
  return { kind: 'composer', id: names.of('c', cid), thread: isThread ? names.of('m', thread) : undefined }
}

const ROLES: Readonly<Record<string, string>> = {
  BUTTON: 'button',
  A: 'link',
  TEXTAREA: 'textbox',
  SELECT: 'combobox',
  SUMMARY: 'summary',
}
const INPUT_ROLES: Readonly<Record<string, string>> = {
  checkbox: 'checkbox',
  radio: 'radio',
  search: 'searchbox',
  range: 'slider',
  number: 'spinbutton',
  button: 'button',
  submit: 'button',
}

function roleOf(element: HTMLElement): string {
  const given = element.getAttribute('role')?.split(' ')[0]
  if (given !== undefined && /^[a-z]+$/.test(given)) return given
  if (element instanceof HTMLInputElement) return INPUT_ROLES[element.type] ?? 'textbox'
  return ROLES[element.tagName] ?? 'generic'
}

/** The accessible name, as far as Parlor's own controls need it. */
export function nameOf(element: HTMLElement): string {
  const labelled = (element.getAttribute('aria-labelledby') ?? '')
    .split(/\s+/)
    .flatMap((id) => (id === '' ? [] : (document.getElementById(id) ?? [])))
  if (labelled.length > 0) return oneLine(labelled.map(contentOf).join(' '))
  const label = element.getAttribute('aria-label')
  if (label !== null && label !== '') return oneLine(label)
  if (isField(element)) return oneLine(Array.from(element.labels ?? [], contentOf).join(' ') || element.title)
  return oneLine(contentOf(element))
}

function contentOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return ''
  if (node instanceof HTMLImageElement) return node.alt
  // The keys of an action are not its name, and a person may have chosen others.
  if (node.tagName === 'KBD') return ''
  return node.getAttribute('aria-label') ?? Array.from(node.childNodes, contentOf).join(' ')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
export const isField = (element: EventTarget | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement
