// Before the first paint, so that neither colours nor language change visibly.
{
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null // storage is switched off
    }
  }
  const scheme = kept('mantine-color-scheme-value')
  const isDark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
