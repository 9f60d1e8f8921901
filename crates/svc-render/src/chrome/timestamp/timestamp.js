// Days in the form of the page's language; without this script they stand as 2026-03-05.
for (const time of document.querySelectorAll("[data-svc-timestamp]")) {
  const day = new Date(`${time.dateTime}T12:00:00Z`);
  if (!Number.isNaN(day.getTime())) {
    const form = { dateStyle: "long", timeZone: "UTC" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, form).format(day);
  }
}
