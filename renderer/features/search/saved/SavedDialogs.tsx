import { useState } from 'react'
import { SEARCH_NAME_LENGTH, MAX_SAVED_SEARCHES, type SavedSearch } from '#shared/domain/search.ts'
import {
  renamingFault,
  savingFault,
  searchCalled,
  withSearch,
  withSearchRenamed,
} from '#shared/rules/search/saved-searches.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { changeSaved, selectSavedSearches } from './saved.ts'

type NameProps = {
  readonly title: string
  readonly submit: string
  readonly before: string
  readonly errorOf: (name: string) => string | undefined
  readonly hintOf?: (name: string) => string | undefined
  readonly onSave: (name: string) => Promise<boolean>
  readonly onClose: () => void
}

/** Asks for a name. An invalid one stays in the field with the reason. */
function NameDialog({ title, submit, before, errorOf, hintOf, onSave, onClose }: NameProps) {
  const t = useTexts('search')
  const common = useTexts('common')
  const [name, setName] = useState(before)
  const [tried, setTried] = useState(false)
  const save = async (): Promise<void> => {
    setTried(true)
    if (errorOf(name) === undefined && (await onSave(name))) onClose()
  }
  return (
    <Dialog
      title={title}
      width={400}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {submit}
          </Button>
        </>
      }
    >
      <TextField
        label={t('saved.name')}
        value={name}
        maxLength={SEARCH_NAME_LENGTH}
        autoComplete="off"
        hint={hintOf?.(name)}
        error={tried ? errorOf(name) : undefined}
        onChange={setName}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  )
}

type SaveProps = {
  readonly present: Omit<SavedSearch, 'name'>
  readonly suggestedName: string
  readonly onClose: () => void
}

/** Saves the current search under a name; warns before replacing another of that name. */
export function SaveDialog({ present, suggestedName, onClose }: SaveProps) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const saved = useAppSelector(selectSavedSearches)
  return (
    <NameDialog
      title={t('saved.saveTitle')}
      submit={t('saved.save')}
      before={suggestedName}
      errorOf={(name) => {
        const fault = savingFault(saved, name)
        return fault === undefined ? undefined : t(`saved.faults.${fault}`, { max: MAX_SAVED_SEARCHES })
      }}
      hintOf={(name) => {
        const same = searchCalled(saved, name)
        return same === undefined ? undefined : t('saved.replaces', { name: same.name })
      }}
      onSave={async (name) => {
        const done = await dispatch(changeSaved((searches) => withSearch(searches, { ...present, name })))
        if (done) announce(t('saved.kept', { name: name.trim() }))
        return done
      }}
      onClose={onClose}
    />
  )
}

/** Renames a saved search. */
export function RenameSearchDialog({ name: from, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const saved = useAppSelector(selectSavedSearches)
  return (
    <NameDialog
      title={t('saved.renameTitle')}
      submit={t('saved.rename')}
      before={from}
      errorOf={(name) => {
        const fault = renamingFault(saved, from, name)
        return fault === undefined ? undefined : t(`saved.faults.${fault}`, { max: MAX_SAVED_SEARCHES })
      }}
      onSave={(name) => dispatch(changeSaved((searches) => withSearchRenamed(searches, from, name)))}
      onClose={onClose}
    />
  )
}
