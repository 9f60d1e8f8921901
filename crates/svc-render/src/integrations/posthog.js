prepare.posthog = ({ key, host, recording }) => {
  const options = {
    api_host: host,
    person_profiles: "identified_only",
    disable_session_recording: !recording,
  };
  window.posthog ??= Object.assign([], { people: [], _i: [[key, options, "posthog"]], __SV: 1 });
};
