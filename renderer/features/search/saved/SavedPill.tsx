import { useState } from 'react'
import { searchAsking } from '#shared/rules/search/saved-searches.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { MenuPill } from '../../../ui/Mark/Pill.tsx'
import { openSaved } from './saved.ts'
import { SaveDialog } from './SavedDialogs.tsx'
import { useSaving } from './use-saving.ts'

/** Saves the current search, and opens the saved ones. */
export function SavedPill() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { saved, present, suggestedName } = useSaving()
  const [naming, setNaming] = useState<string>()
  const same = present === undefined ? undefined : searchAsking(saved, present)
  const items = (): readonly MenuItem[] => [
    {
      id: 'save',
      label: t('saved.saveThis'),
      icon: 'plus',
      ...(present === undefined
        ? { disabledReason: t('saved.nothingAsked') }
        : same === undefined
          ? {}
          : { disabledReason: t('saved.isKept') }),
      onSelect: () => setNaming(suggestedName()),
    },
    ...(saved.length === 0 ? [] : [{ kind: 'separator', id: 'line' } satisfies MenuItem]),
    ...saved.map((search): MenuItem => ({
      id: `saved-${search.name}`,
      label: search.name,
      icon: 'bookmark',
      checked: search === same ? true : undefined,
      onSelect: () => dispatch(openSaved(search)),
    })),
  ]
  return (
    <>
      <MenuPill icon="bookmark" text={t('saved.pill')} items={items} />
      {naming === undefined || present === undefined ? null : (
        <SaveDialog present={present} suggestedName={naming} onClose={() => setNaming(undefined)} />
      )}
    </>
  )
}
