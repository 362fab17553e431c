import { SYSTEM_SPELLING } from '#shared/domain/desktop/desktop.ts'
import { useFormats, useLanguageNames, useTexts } from '../../../i18n/index.ts'
import { useHost } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { useDesktop, type DesktopPage } from '../desktop/use-desktop.ts'
import { SettingRow } from '../controls/SettingRow.tsx'
import { SwitchRow } from '../controls/SwitchRow.tsx'

/** Spell checking languages. In a browser they are set in the browser. */
export function Spelling() {
  const t = useTexts('desktop')
  const { kind } = useHost()
  const page = useDesktop()
  if (kind === 'browser') return <SettingRow title={t('spelling.title')} hint={t('spelling.browser')} />
  const offered = page.state?.spelling?.languages
  if (offered === undefined) return null
  if (offered.length > 0) return <Languages page={page} offered={offered} />
  return (
    <SwitchRow
      title={t('spelling.title')}
      hint={t('spelling.system')}
      on={page.choices.spelling.length > 0}
      onChange={(on) => void page.choose({ spelling: on ? [SYSTEM_SPELLING] : [] })}
    />
  )
}

type Props = { readonly page: DesktopPage; readonly offered: readonly string[] }

function Languages({ page: { choices, choose }, offered }: Props) {
  const t = useTexts('desktop')
  const nameOf = useLanguageNames()
  const { compare } = useFormats()
  const chosen = choices.spelling.filter((language) => offered.includes(language))
  const others = offered
    .filter((language) => !chosen.includes(language))
    .map((language) => ({ value: language, label: nameOf(language) }))
    .toSorted((a, b) => compare(a.label, b.label))
  return (
    <>
      <SettingRow title={t('spelling.title')} hint={t('spelling.hint')}>
        <Select
          label={t('spelling.add')}
          value=""
          choices={[{ value: '', label: t('spelling.none') }, ...others]}
          onChange={(language) => void choose({ spelling: [...chosen, language] })}
        />
      </SettingRow>
      {chosen.map((language) => (
        <SettingRow key={language} title={nameOf(language)}>
          <IconButton
            icon="x"
            label={t('spelling.remove', { language: nameOf(language) })}
            onClick={() => void choose({ spelling: chosen.filter((each) => each !== language) })}
          />
        </SettingRow>
      ))}
    </>
  )
}
