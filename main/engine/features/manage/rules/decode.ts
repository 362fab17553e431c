import type { ListedBlockList, ListedRule } from '#shared/domain/manage/rules.ts'
import { configRules, listKindOf, positionOf, readRule } from '#shared/rules/moderation/read-rule.ts'
import { asList, asWire, textOf } from '../../../decode/read.ts'

/** A rule of our own server. `undefined`: one of another shape. */
export function decodeRule(value: unknown): ListedRule | undefined {
  const wire = asWire(value)
  const rule = readRule(value)
  return wire && rule && { ...rule, version: versionOf(wire), position: positionOf(value) }
}

/** A moderation configuration: the block lists that it names, as rules. */
export function decodeConfig(value: unknown): readonly ListedRule[] {
  const wire = asWire(value)
  const key = textOf(wire?.['key'])
  if (!wire || key === undefined || key === '') return []
  return configRules(key, wire).map((rule, position) => ({ ...rule, version: versionOf(wire), position }))
}

export function decodeList(value: unknown): ListedBlockList | undefined {
  const wire = asWire(value)
  const name = textOf(wire?.['name'])
  if (!wire || name === undefined || name === '') return undefined
  const type = textOf(wire['type'])
  const kind = listKindOf(type)
  return {
    name,
    kind: kind ?? 'word',
    words: asList(wire['words']).flatMap((word) => textOf(word) ?? []),
    version: versionOf(wire),
    ...(kind === undefined ? { foreign: type } : {}),
  }
}

/** The time of the last change as the server writes it; some servers send numbers. */
export const versionOf = (wire: Readonly<Record<string, unknown>> | undefined): string => {
  const at = wire?.['updated_at']
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}
