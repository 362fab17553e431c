import { type ComponentType, type ReactNode, createContext, use } from 'react'
import type { UnknownAction } from '@reduxjs/toolkit'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { AreaName } from '../i18n/areas.ts'
import type { Chord } from '../lib/text/chords.ts'
import type { AppDispatch, AppState } from '../store/store.ts'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import type {
  ActionId,
  Dialogs,
  ManagedList,
  ManagePages,
  Panels,
  Routes,
  SettingsPages,
  ManageSection,
  SettingsSection,
} from '../store/window/kinds.ts'
import type { IconName } from '../ui/Icon/Icon.tsx'
import { assert } from '#shared/lib/app-error.ts'

/** An action that a window of one channel can have run by a main window. */
export type ViewAction = Extract<Parameters<EngineClient['app']['lead']>[0], { readonly type: 'command' }>['action']

/** A view of the main sheet. */
export type RouteView<View extends keyof Routes> = {
  readonly component: ComponentType<
    Routes[View] & {
      /** In a single column: goes back to the list. */
      readonly onBack?: () => void
    }
  >
  /** Replaces the sidebar while the view is open. */
  readonly Nav?: ComponentType<Routes[View] & { readonly onBack: () => void }>
  /** The action that opens it: a window of one channel has it run by a main window. */
  readonly action?: ViewAction
}

/** A panel beside the main sheet. */
export type PanelView<Kind extends keyof Panels> = {
  readonly component: ComponentType<Panels[Kind]>
  /** The panel is remounted when this changes; absent: when any of its properties does. */
  readonly keyOf?: (panel: Panels[Kind]) => string
}

/** What an action gets when it runs. */
export type ActionContext = {
  readonly dispatch: AppDispatch
  readonly getState: () => AppState
  readonly engine: EngineClient
}

/**
 * Something that can be done by key or by name: keyboard, quick switcher, native menus, list of shortcuts and tooltips read
 * it. Without `run` it is handled by the focused message list, row or composer.
 */
type Action = {
  readonly chords: readonly Chord[]
  readonly macChords?: readonly Chord[]
  /** Where it is listed. */
  readonly group: 'navigation' | 'window' | 'messages' | 'composer'
  /** Its position in the group: lower first. */
  readonly order: number
  /** `at`: index of the pressed chord, from 0; absent when the action was chosen by name. */
  readonly run?: (context: ActionContext, at?: number) => void
  /** Whether it applies now; absent: always. The quick switcher lists only those that apply. */
  readonly offered?: (state: AppState) => boolean
  /** Whether the viewer may use it at all: by key, by name or from a native menu. Absent: everyone, guests too. */
  readonly allowed?: (state: AppState) => boolean
  /** It acts on the open conversation, so it also works in a window that shows only one. */
  readonly inOwnWindow?: boolean
  /** In a text field its keys are the field's. */
  readonly outsideFields?: true
}

/**
 * A row of the sidebar above the conversations; an icon where the sidebar is a rail. It stays where it is whatever happens,
 * so that no conversation moves under the pointer: what comes and goes is a tab, a number or a chip in the title strip.
 */
export type SidebarRow = {
  readonly id: string
  readonly order: number
  readonly icon: IconName
  /** What a click does. A row that opens a view is a link. */
  readonly open: UnknownAction
  /** The view that it represents. */
  readonly view?: keyof Routes
  /** The row under which it is listed: a tab above the views of that row, not a row of its own. */
  readonly under?: string
  /** Whether it is shown; absent: always. */
  readonly shown?: (state: AppState) => boolean
  /** Passes on what the row or the icon shows. */
  readonly Content: ComponentType<{ readonly children: (content: SidebarRowContent) => ReactNode }>
}

export type SidebarRowContent = {
  readonly title: string
  /** The accessible name when it is more than the title. */
  readonly label?: string
  /** The number on the icon in the rail. */
  readonly count?: number
  /** At the end of the row: a text, or the number of unread items, which makes the row bold. */
  readonly end?:
    | { readonly text: string; readonly tone: 'quiet' | 'alert' }
    | { readonly count: number; readonly tone: 'unread' | 'mention' }
}

/** A page of the settings. */
export type SettingsPage = {
  readonly order: number
  readonly icon: IconName
  readonly component: ComponentType
  /** Settings that "Reset this page" resets. Absent: the page has nothing to reset. */
  readonly fields?: readonly SettingsField[]
  /** Listed as a link in the foot, below the pages. */
  readonly inFoot?: true
}

/** A setting that can be changed on a page. */
export type SettingsField = Exclude<keyof Settings, 'sidebars'>

/** A page of administration. */
export type ManagePage = {
  readonly order: number
  readonly icon: IconName
  /** The heading under which it is listed. */
  readonly group: 'moderation' | 'people' | 'messaging' | 'workspace'
  /** Listed for those who have this right. */
  readonly right: ManageRight
  /** Its number of waiting items is shown beside its name. */
  readonly counts?: 'review'
  /** If the right is taken away while it is open, it stays and says so itself. */
  readonly staysOpen?: true
  readonly component: ComponentType<{
    /** What the page opens with, such as a person. */
    readonly id?: string
    /** How its list was when it was left by a link. */
    readonly list?: ManagedList
    /** In a single column: goes back to the list of pages. */
    readonly onBack?: () => void
  }>
}

/** What one feature adds to the window, by the kinds that it declares. */
type FeatureOf<
  Dialog extends keyof Dialogs,
  View extends keyof Routes,
  Panel extends keyof Panels,
  Id extends ActionId,
  Page extends keyof SettingsPages,
  Manage extends keyof ManagePages,
> = {
  /** The locale files whose texts belong to it. */
  readonly localeAreas?: readonly AreaName[]
  readonly dialogs?: { readonly [Kind in Dialog]: ComponentType<Dialogs[Kind]> }
  readonly routes?: { readonly [Name in View]: RouteView<Name> }
  readonly panels?: { readonly [Kind in Panel]: PanelView<Kind> }
  readonly actions?: { readonly [Each in Id]: Action }
  readonly sidebar?: readonly SidebarRow[]
  readonly settings?: { readonly [Name in Page]: SettingsPage }
  readonly manage?: { readonly [Name in Manage]: ManagePage }
  /** Loads the code that a first click wants, or that takes the letters after a shortcut, right after the first screen. */
  readonly warmFirst?: () => void
  /** Loads other code in advance, soon after the first screen. */
  readonly warm?: () => void
  /**
   * Loads what the first painted screen has of it beyond what every screen has, so that nothing moves when it arrives.
   * Never rejects: a part that cannot be loaded says so in its place.
   */
  readonly ready?: (state: AppState) => Promise<void> | undefined
}

type Whole = FeatureOf<keyof Dialogs, keyof Routes, keyof Panels, ActionId, keyof SettingsPages, keyof ManagePages>
export type Parts = 'dialogs' | 'routes' | 'panels' | 'actions' | 'settings' | 'manage'

/** What one feature adds to the window. */
export type Feature = Omit<Whole, Parts> & { readonly [Part in Parts]?: Partial<NonNullable<Whole[Part]>> }

/** What all features together add. */
type Defined = { readonly [Part in Parts]: NonNullable<Whole[Part]> }

/**
 * Defines what a feature adds to the window. Its kinds are declared by extending the interfaces of store/window/kinds.ts;
 * app/features.ts lists the features.
 */
export const defineFeature = <
  Dialog extends keyof Dialogs = never,
  View extends keyof Routes = never,
  Panel extends keyof Panels = never,
  Id extends ActionId = never,
  Page extends keyof SettingsPages = never,
  Manage extends keyof ManagePages = never,
>(
  feature: FeatureOf<Dialog, View, Panel, Id, Page, Manage>,
): FeatureOf<Dialog, View, Panel, Id, Page, Manage> => feature

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
