//! The services with their settings, and stand-ins for their scripts.

/// A service as the test sees it.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) settings: &'static str,
    /// URL of its script.
    pub(super) script: &'static str,
    /// Stand-in for the script: it sends what the page prepared for it.
    pub(super) vendor_code: &'static str,
    /// The request that the stand-in sends.
    pub(super) sent: &'static str,
}

const fn case(
    name: &'static str,
    settings: &'static str,
    script: &'static str,
    vendor_code: &'static str,
    sent: &'static str,
) -> Case {
    Case {
        name,
        settings,
        script,
        vendor_code,
        sent,
    }
}

pub(super) const CASES: &[Case] = &[
    case(
        "adobe",
        r#"{"launchUrl": "https://tags.test/launch-1.min.js"}"#,
        "https://tags.test/launch-1.min.js",
        "fetch('https://edge.adobedc.net/ee')",
        "https://edge.adobedc.net/ee",
    ),
    case(
        "amplitude",
        r#"{"apiKey": "abc1"}"#,
        "https://cdn.amplitude.com/script/abc1.js",
        "window.amplitude = { init: (key, options) => fetch(`https://api2.amplitude.com/2/httpapi?${key}&${options.autocapture.pageViews}`) }",
        "https://api2.amplitude.com/2/httpapi?abc1&true",
    ),
    case(
        "clarity",
        r#"{"projectId": "abc2"}"#,
        "https://www.clarity.ms/tag/abc2",
        "clarity('event', 'x'); fetch(`https://a.clarity.ms/collect?${clarity.q.length}`)",
        "https://a.clarity.ms/collect?1",
    ),
    case(
        "clearbit",
        r#"{"publicApiKey": "pk_abc3"}"#,
        "https://tag.clearbitscripts.com/v1/pk_abc3/tags.js",
        "fetch(`https://app.clearbit.com/v1/p?${document.currentScript.referrerPolicy}`)",
        "https://app.clearbit.com/v1/p?strict-origin-when-cross-origin",
    ),
    case(
        "fathom",
        r#"{"siteId": "ABC4"}"#,
        "https://cdn.usefathom.com/script.js",
        "new Image().src = `https://cdn.usefathom.com/?sid=${document.currentScript.dataset.site}`",
        "https://cdn.usefathom.com/?sid=ABC4",
    ),
    case(
        "frontchat",
        r#"{"snippetId": "abcdef5"}"#,
        "https://chat-assets.frontapp.com/v1/chat.bundle.js",
        "window.FrontChat = (call, options) => fetch(`https://chat.frontapp.com/?${call}&${options.chatId}`)",
        "https://chat.frontapp.com/?init&abcdef5",
    ),
    case(
        "ga4",
        r#"{"measurementId": "G-6"}"#,
        "https://www.googletagmanager.com/gtag/js?id=G-6",
        "const [start, config] = dataLayer; fetch(`https://region1.google-analytics.com/g/collect?${start[0]}&${config[0]}&${config[1]}&${Object.prototype.toString.call(config)}`)",
        "https://region1.google-analytics.com/g/collect?js&config&G-6&[object%20Arguments]",
    ),
    case(
        "gtm",
        r#"{"tagId": "GTM-7"}"#,
        "https://www.googletagmanager.com/gtm.js?id=GTM-7",
        "fetch(`https://www.google-analytics.com/g/collect?${dataLayer[0].event}&${dataLayer[0]['gtm.start'] > 0}`)",
        "https://www.google-analytics.com/g/collect?gtm.js&true",
    ),
    case(
        "heap",
        r#"{"appId": 8}"#,
        "https://cdn.us.heap-api.com/config/8/heap_config.js",
        "fetch(`https://c.us.heap-api.com/api/capture?${heap.envId}&${heapReadyCb.length}`)",
        "https://c.us.heap-api.com/api/capture?8&0",
    ),
    case(
        "hightouch",
        r#"{"writeKey": "abc9", "apiHost": "events.test"}"#,
        "https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js",
        "fetch(`https://${htevents._loadOptions.apiHost}/v1/p?${htevents._writeKey}&${htevents[0][0]}`)",
        "https://events.test/v1/p?abc9&page",
    ),
    case(
        "hotjar",
        r#"{"hjid": 10, "hjsv": "6"}"#,
        "https://static.hotjar.com/c/hotjar-10.js?sv=6",
        "hj('event', 'x'); fetch(`https://content.hotjar.io/?${_hjSettings.hjid}&${_hjSettings.hjsv}&${hj.q.length}`)",
        "https://content.hotjar.io/?10&6&1",
    ),
    case(
        "intercom",
        r#"{"appId": "abcdef11"}"#,
        "https://widget.intercom.io/widget/abcdef11",
        "const [[call, options]] = Intercom.q; fetch(`https://api-iam.intercom.io/messenger/web/ping?${call}&${options.app_id}`)",
        "https://api-iam.intercom.io/messenger/web/ping?boot&abcdef11",
    ),
    case(
        "koala",
        r#"{"publicApiKey": "pk_12"}"#,
        "https://cdn.getkoala.com/v1/pk_12/sdk.js",
        "fetch(`https://api2.getkoala.com/web/projects/pk_12/batch?${Array.isArray(ko)}`)",
        "https://api2.getkoala.com/web/projects/pk_12/batch?true",
    ),
    case(
        "logrocket",
        r#"{"appId": "a/b13"}"#,
        "https://cdn.logr-in.com/LogRocket.min.js",
        "window.LogRocket = { init: (id, options) => fetch(`https://r.logr-in.com/i?a=${id}&${options.dom.inputSanitizer}`) }",
        "https://r.logr-in.com/i?a=a/b13&true",
    ),
    case(
        "mixpanel",
        r#"{"projectToken": "abc14", "region": "eu"}"#,
        "https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js",
        "const [[token, options, name]] = mixpanel._i; fetch(`${options.api_host}/track?${token}&${options.track_pageview}&${name}&${mixpanel.__SV}`)",
        "https://api-eu.mixpanel.com/track?abc14&true&mixpanel&1.2",
    ),
    case(
        "pirsch",
        r#"{"id": "abc15"}"#,
        "https://api.pirsch.io/pa.js",
        "fetch(`https://api.pirsch.io/p/pv?${document.getElementById('pianjs').dataset.code}`)",
        "https://api.pirsch.io/p/pv?abc15",
    ),
    case(
        "plausible",
        r#"{"domain": "docs.test", "server": "stats.test"}"#,
        "https://stats.test/js/script.js",
        "const own = document.currentScript; fetch(`${new URL(own.src).origin}/api/event?${own.dataset.domain}`)",
        "https://stats.test/api/event?docs.test",
    ),
    case(
        "posthog",
        r#"{"apiKey": "phc_17", "sessionRecording": false}"#,
        "https://us-assets.i.posthog.com/static/array.js",
        "const [[key, options]] = posthog._i; fetch(`${options.api_host}/e/?${key}&${options.disable_session_recording}`)",
        "https://us.i.posthog.com/e/?phc_17&true",
    ),
    case(
        "segment",
        r#"{"key": "abc18", "cdnUrl": "https://cdn.test"}"#,
        "https://cdn.test/analytics.js/v1/abc18/analytics.min.js",
        "fetch(`https://api.segment.io/v1/p?${analytics._writeKey}&${analytics._cdn}&${analytics[0][0]}`)",
        "https://api.segment.io/v1/p?abc18&https://cdn.test&page",
    ),
];

/// Stand-ins for the services that manage consent, and for their dialogs.
pub(super) const MANAGERS: &[Case] = &[
    case(
        "onetrust",
        r#"{"domainScript": "abc-19"}"#,
        "https://cdn.cookielaw.org/scripttemplates/otSDKStub.js",
        "window.OnetrustActiveGroups = ',C0001,'; window.choose = (granted) => { window.OnetrustActiveGroups = granted ? ',C0001,C0002,' : ',C0001,'; OptanonWrapper(); }; window.OneTrust = { ToggleInfoDisplay: () => document.body.dataset.opened = '1' }; OptanonWrapper(); fetch(`https://privacyportal.onetrust.com/?${document.currentScript.dataset.domainScript}`)",
        "https://privacyportal.onetrust.com/?abc-19",
    ),
    case(
        "transcend",
        r#"{"bundleId": "abc20", "analyticsPurpose": "Counting"}"#,
        "https://transcend-cdn.com/cm/abc20/airgap.js",
        "const state = { Counting: false }; let changed; const library = { getConsent: () => ({ purposes: state }), addEventListener: (name, listener) => changed = listener }; airgap.readyQueue.forEach((callback) => callback(library)); window.choose = (granted) => { state.Counting = granted; changed(); }; window.transcend = { showConsentManager: () => document.body.dataset.opened = '1' }; fetch('https://telemetry.transcend.io/x')",
        "https://telemetry.transcend.io/x",
    ),
];

/// The script that stands in for the one at a URL; empty for other URLs.
pub(super) fn vendor_script(url: &str) -> String {
    let mut all = CASES.iter().chain(MANAGERS);
    let case = all.find(|case| case.script == url);
    // Scripts share the names that they declare outside of blocks.
    case.map_or_else(String::new, |case| format!("{{ {} }}", case.vendor_code))
}
