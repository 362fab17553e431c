import { useRef } from 'react'
import { settingsFile } from '#shared/rules/desktop/settings-file.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { saveAs } from '../../attachments/index.ts'
import { importSettings } from '../commands.ts'
import { SettingRow } from '../controls/SettingRow.tsx'

/** Below the bridge's limit; a settings file has a few thousand bytes. */
const MAX_BYTES = 500_000
const NAME = 'parlor-settings.json'

/** Exports the settings to a file and imports them. Invalid settings of a file are listed. */
export function SettingsFile() {
  const t = useTexts('preferences')
  const settings = useSettings()
  const field = useRef<HTMLInputElement>(null)
  const { result, importFile } = useImport()
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([settingsFile(settings)], { type: 'application/json' }))
    saveAs(url, NAME)
    // The download has started when the click returns, so the bytes can be released.
    setTimeout(() => URL.revokeObjectURL(url), 0)
  }
  return (
    <>
      <SettingRow title={t('advanced.file')} hint={t('advanced.fileHint')}>
        <Button icon="download" onClick={save}>
          {t('advanced.export')}
        </Button>
        <Button icon="upload" onClick={() => field.current?.click()}>
          {t('advanced.import')}
        </Button>
        <input
          ref={field}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={t('advanced.import')}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = ''
            if (file) void importFile(file)
          }}
        />
      </SettingRow>
      <p role="status">{result}</p>
    </>
  )
}

function useImport() {
  const t = useTexts('preferences')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const formMessage = useRemark((own: 'tooLarge' | { readonly refused: readonly string[] }) => {
    if (own === 'tooLarge') return t('advanced.tooLarge')
    const count = own.refused.length
    return count === 0 ? t('advanced.imported') : t('advanced.refused', { count, names: formats.list(own.refused) })
  })
  const importFile = async (file: File): Promise<void> => {
    if (file.size > MAX_BYTES) return formMessage.show('tooLarge')
    const taken = await dispatch(importSettings({ text: await file.text() }))
    if (taken.ok) formMessage.show({ refused: taken.value.refused })
    else formMessage.refuse(taken.error)
  }
  return { result: formMessage.text, importFile }
}
