import { createContext, use } from 'react'
import { assert } from '#shared/lib/app-error.ts'
import type { ActionId, ManageSection, SettingsSection } from '../store/window/kinds.ts'
import type { AppState } from '../store/store.ts'
import type { Action, Defined, Feature, ManagePage, Parts, SettingsPage, SidebarRow } from './feature.ts'

export type RegisteredAction = Action & { readonly id: ActionId }
export type RegisteredPage = SettingsPage & { readonly name: SettingsSection }
type RegisteredManagePage = ManagePage & { readonly name: ManageSection }

/** Everything that the features of a window define, by kind; lists are in the order in which they are shown. */
export type Registry = Pick<Defined, 'dialogs' | 'routes' | 'panels'> & {
  readonly actions: readonly RegisteredAction[]
  readonly sidebar: readonly SidebarRow[]
  readonly settings: readonly RegisteredPage[]
  readonly manage: readonly RegisteredManagePage[]
  readonly warmFirst: () => void
  readonly warm: () => void
  readonly ready: (state: AppState) => Promise<void>
}

const inOrder = <Item extends { readonly order: number }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => one.order - other.order)

/** Joins what the features define. The same id twice is a mistake in the source. */
export function createRegistry(features: readonly Feature[]): Registry {
  const joined = <Part extends Parts>(part: Part): Defined[Part] => {
    const entries = features.flatMap((feature) => Object.entries(feature[part] ?? {}))
    const ids = entries.map(([id]) => id)
    assert(new Set(ids).size === ids.length, `each of the ${part} is defined once`)
    return Object.fromEntries(entries) as Defined[Part]
  }
  const actions = Object.entries(joined('actions')).map(([id, action]) => ({ ...action, id: id as ActionId }))
  const pages = Object.entries(joined('settings')).map(([name, page]) => ({ ...page, name: name as SettingsSection }))
  return {
    dialogs: joined('dialogs'),
    routes: joined('routes'),
    panels: joined('panels'),
    actions: inOrder(actions),
    sidebar: inOrder(features.flatMap(({ sidebar = [] }) => sidebar)),
    settings: inOrder(pages),
    manage: inOrder(Object.entries(joined('manage')).map(([name, page]) => ({ ...page, name: name as ManageSection }))),
    warmFirst: () => features.forEach(({ warmFirst }) => warmFirst?.()),
    warm: () => features.forEach(({ warm }) => warm?.()),
    ready: async (state) => void (await Promise.all(features.flatMap(({ ready }) => ready?.(state) ?? []))),
  }
}

/** A part of the window that is rendered alone, as in tests, has no features around it. */
export const RegistryContext = createContext(createRegistry([]))

export const useRegistry = (): Registry => use(RegistryContext)
