"""Consent notices and other dialogs, in the markup that products for them write, shortened and with our own texts."""

from typing import Final

_SETTINGS = "".join(
    f"<div class='ot-accordion-layout ot-cat-item'><button aria-expanded=false></button><div class='ot-acc-hdr'>"
    f"<h4 class=ot-cat-header>{name} cookies</h4><div class=ot-always-active>Always active</div></div>"
    "<div class='ot-acc-grpcntr ot-acc-txt'><p class='ot-acc-grpdesc ot-category-desc'>These cookies may be set "
    "through "
    f"our site by our partners. They do not store directly personal information, but are based on {name.lower()} "
    f"features of your browser and your device. If you do not allow these cookies, you will see a plainer page.</p>"
    f"</div></div>"
    for name in ("Necessary", "Functional", "Performance", "Targeting")
)

CONSENT_NOTICES: Final[dict[str, str]] = {
    "OneTrust": (
        "<div id=onetrust-consent-sdk data-nosnippet=true><div class='onetrust-pc-dark-filter ot-fade-in'></div>"
        "<div id=onetrust-banner-sdk class='otFlat bottom ot-wo-title' tabindex=0 role=region aria-label='Cookie "
        "banner'>"
        "<div role=alertdialog aria-describedby=onetrust-policy-text aria-modal=true><div class=ot-sdk-container>"
        "<div class=ot-sdk-row><div id=onetrust-group-container class='ot-sdk-eight ot-sdk-columns'>"
        "<div id=onetrust-policy><h2 id=onetrust-policy-title>We value your privacy</h2><div "
        "id=onetrust-policy-text>By "
        "clicking “Accept all cookies”, you agree to the storing of cookies on your device to enhance site navigation, "
        "analyse site usage, and assist in our marketing efforts. <a class=ot-cookie-policy-link href=/cookies>Cookie "
        "policy</a></div></div></div><div id=onetrust-button-group><button id=onetrust-pc-btn-handler>Settings</button>"
        "<button id=onetrust-reject-all-handler>Reject all</button><button id=onetrust-accept-btn-handler>Accept all "
        "cookies</button></div></div></div></div></div>"
        "<div id=onetrust-pc-sdk class='otPcCenter ot-hide ot-fade-in' role=region aria-label='Preference center'>"
        "<div role=alertdialog aria-modal=true><div id=ot-pc-content class=ot-pc-scrollbar><h2 id=ot-pc-title>Privacy "
        "preference center</h2><div id=ot-pc-desc>When you visit any website, it may store or retrieve information on "
        "your browser, mostly in the form of cookies.</div><section class='ot-sdk-row "
        f"ot-cat-grp'>{_SETTINGS}</section>"
        "</div><button class=save-preference-btn-handler>Confirm my choices</button></div></div></div>"
    ),
    "Cookiebot": (
        "<div id=CybotCookiebotDialog name=CybotCookiebotDialog data-template=popup class='CybotCookiebotDialogActive' "
        "aria-modal=true role=dialog tabindex=-1><div class=CybotCookiebotDialogContentWrapper><ul "
        "class=CybotCookiebotDialogNavItems><li><a id=CybotCookiebotDialogNavDeclaration href=#>Consent</a><li><a "
        "href=#>Details</a><li><a href=#>About</a></ul><div id=CybotCookiebotDialogBody><h2 "
        "id=CybotCookiebotDialogBodyContentTitle>This website uses cookies</h2><div "
        "id=CybotCookiebotDialogBodyContentText>We use cookies to personalise content and ads, to provide social media "
        "features and to analyse our traffic. We also share information about your use of our site with our partners."
        "</div></div><div id=CybotCookiebotDialogFooter><button id=CybotCookiebotDialogBodyButtonDecline "
        "class=CybotCookiebotDialogBodyButton>Deny</button><button class=CybotCookiebotDialogBodyButton>Allow all"
        "</button></div></div></div>"
    ),
    "Didomi": (
        "<div id=didomi-host data-nosnippet aria-hidden=false class='didomi-desktop didomi-screen-large'><div "
        "class=didomi-consent-popup-container><div class='didomi-popup-backdrop didomi-notice-popup'><div "
        "class='didomi-popup-container didomi-popup-notice-optin-type'><div class='didomi-popup-notice' role=dialog "
        "aria-modal=true><div class=didomi-popup-notice-text><p>With your agreement, we and our 812 partners use "
        "cookies "
        "or similar technologies to store, access, and process personal data like your visit on this website.</p></div>"
        "<div class=didomi-popup-notice-buttons><button id=didomi-notice-learn-more-button>Learn more</button><button "
        "id=didomi-notice-agree-button>Agree and close</button></div></div></div></div></div></div>"
    ),
    "Quantcast": (
        "<div class=qc-cmp2-container id=qc-cmp2-container data-nosnippet><div class=qc-cmp2-main id=qc-cmp2-main><div "
        "class='qc-cmp-cleanslate css-1fs8'><div id=qc-cmp2-ui role=dialog aria-labelledby=qc-cmp2-title "
        "aria-modal=true class='qc-cmp2-ui css-1mo'><div class=qc-cmp2-summary-section><h2>We value your "
        "privacy</h2><p>"
        "We and our partners store and/or access information on a device, such as cookies and process personal data, "
        "such "
        "as unique identifiers and standard information sent by a device for personalised ads and "
        "content.</p></div><div "
        "class=qc-cmp2-footer><div class=qc-cmp2-summary-buttons><button mode=secondary><span>More "
        "options</span></button>"
        "<button mode=primary><span>Agree</span></button></div></div></div></div></div></div>"
    ),
    "Usercentrics": (
        "<aside id=usercentrics-cmp-ui tabindex=-1><div data-testid=uc-app-container class=sc-gsFSXq><div role=dialog "
        "aria-modal=true data-testid=uc-default-banner><h2>Privacy settings</h2><p>This site uses third-party website "
        "tracking technologies to provide and continually improve our services, and to display advertisements "
        "according "
        "to users' interests. I agree and may revoke or change my consent at any time.</p><button role=button "
        "data-testid=uc-deny-all-button>Deny</button><button role=button data-testid=uc-accept-all-button>Accept all"
        "</button></div></div></aside>"
    ),
    "Osano": (
        "<div class=osano-cm-window dir=ltr><div class='osano-cm-window__dialog osano-cm-dialog "
        "osano-cm-dialog--type_bar' "
        "aria-label='Cookie consent banner'><button class='osano-cm-dialog__close osano-cm-close'></button><div "
        "class='osano-cm-dialog__content osano-cm-content'><span class='osano-cm-content__message "
        "osano-cm-message'>This "
        "website utilizes technologies such as cookies to enable essential site functionality, as well as for "
        "analytics, "
        "personalization, and targeted advertising purposes.</span> <a class=osano-cm-link href=/p>Privacy policy</a>"
        "</div><div class='osano-cm-dialog__buttons osano-cm-buttons'><button class='osano-cm-accept-all "
        "osano-cm-button'>Accept</button><button class='osano-cm-denyAll "
        "osano-cm-button'>Deny</button></div></div></div>"
    ),
    "Klaro": (
        "<div id=klaro><div lang=en class=klaro><div id=klaro-cookie-notice aria-describedby=id-cookie-notice "
        "class=cookie-notice><div class=cn-body><p id=id-cookie-notice>Hi! Could we please enable some additional "
        "services "
        "for visitor analytics and security? You can always change or withdraw your consent later.</p><div class=cn-ok>"
        "<a class='cm-link cn-learn-more' href=#>Let me choose</a><div class=cn-buttons><button class='cm-btn "
        "cn-decline'>I decline</button><button class='cm-btn cm-btn-success'>That's ok</button></div></div></div></div>"
        "</div></div>"
    ),
    "cookieconsent 3 of Insites": (
        "<div role=dialog aria-live=polite aria-label=cookieconsent class='cc-window cc-banner cc-type-info cc-bottom'>"
        "<!--googleoff: all--><span id='cookieconsent:desc' class=cc-message>This website uses cookies to ensure you "
        "get "
        "the best experience on our website. <a class=cc-link href=/c target=_blank>Learn more</a></span><div "
        "class=cc-compliance><a tabindex=0 class='cc-btn cc-dismiss'>Got it!</a></div></div>"
    ),
    "cookieconsent 3 of Orest Bida": (
        "<div id=cc-main class=cc--anim><div class=cm-wrapper><div class='cm cm--box cm--bottom' role=dialog "
        "aria-modal=true aria-hidden=false><div class=cm__body><div class=cm__texts><h2 class=cm__title>Hello "
        "traveller, "
        "it's cookie time!</h2><p class=cm__desc>We use cookies to see how you move through this site, and only if you "
        "let us do so.</p></div><div class=cm__btns><button class=cm__btn data-role=all><span>Accept "
        "all</span></button>"
        "</div></div></div></div></div>"
    ),
    "TrustArc": (
        "<div id=truste-consent-track style='display: block; background-color: rgb(0, 0, 0)'><div "
        "id=truste-consent-content><div id=truste-consent-text class=truste-messageColumn>This site uses cookies and "
        "related technologies, as described in our privacy policy, for purposes that may include site operation, "
        "analytics, enhanced user experience, or advertising.</div><div id=truste-consent-buttons "
        "class=truste-buttonsColumn><button id=truste-consent-button>Agree and proceed</button><button "
        "id=truste-show-consent>Manage preferences</button></div></div></div>"
    ),
    "Sourcepoint": (
        "<div id=sp_message_container_812345 class=sp_message_container><div class='message type-modal' role=dialog "
        "aria-modal=true><div class='message-component message-row'><p>We and our 139 partners store and access "
        "personal "
        "data, like browsing data or unique identifiers, on your device. Choosing “I accept” enables tracking "
        "technologies, cookies among them.</p></div><button title=Accept class='message-component message-button "
        "sp_choice_type_11'>I accept</button></div></div>"
    ),
    "CookieLawInfo": (
        "<div id=cookie-law-info-bar data-nosnippet=true><span><div class='cli-bar-container cli-style-v2'><div "
        "class=cli-bar-message>We use cookies on our website to give you the most relevant experience by remembering "
        "your "
        "preferences and repeat visits. By clicking “Accept”, you consent to the use of all the cookies.</div><div "
        "class=cli-bar-btn_container><a role=button class='cli_settings_button'>Cookie settings</a><a role=button "
        "data-cli_action=accept id=cookie_action_close_header class='medium cli-plugin-button'>Accept</a></div></div>"
        "</span></div>"
    ),
    "Cookie Notice": (
        "<div id=cookie-notice class='cookie-revoke-hidden cn-position-bottom' aria-label='Cookie Notice'><div "
        "class=cookie-notice-container><span id=cn-notice-text class=cn-text-container>We use cookies to ensure that "
        "we "
        "give you the best experience on our website. If you continue to use this site we will assume that you are "
        "happy "
        "with it.</span><span id=cn-notice-buttons class=cn-buttons-container><a href=# id=cn-accept-cookie "
        "class='cn-set-cookie cn-button'>Ok</a></span></div></div>"
    ),
    "XenForo": (
        "<div class='u-bottomFixer js-bottomFixTarget'><ul class='notices notices--bottom_fixer js-notices'><li "
        "class='notice js-notice notice--primary notice--cookie' data-notice-id=-1><div class=notice-content><div "
        "class=u-alignCenter>This site uses cookies to help personalise content, tailor your experience and to keep "
        "you "
        "logged in if you register. By continuing to use this site, you are consenting to our use of "
        "cookies.</div><div "
        "class='u-inputSpacer u-alignCenter'><a href=/account/dismiss-notice class='button "
        "button--notice'>Accept</a><a "
        "href=/help/cookies class='button button--notice'>Learn more…</a></div></div></ul></div>"
    ),
    "in German, by utility classes": (
        "<div class='fixed inset-x-0 bottom-0 py-3 z-50'><p class='text-xs leading-5'>Wir verwenden Cookies, um "
        "Inhalte "
        "und Anzeigen zu personalisieren und die Zugriffe auf unsere Website zu messen. Mehr in unserer "
        "Datenschutzerklärung.</p><button class='px-4 rounded'>Einverstanden</button></div>"
    ),
}
"""Notices by the product that writes them."""

DIALOGS: Final[dict[str, str]] = {
    "newsletter, Bootstrap 4": (
        "<div class='modal fade' id=newsletterModal tabindex=-1 role=dialog aria-hidden=true><div class=modal-dialog "
        "role=document><div class=modal-content><div class=modal-header><h5 class=modal-title>Letters from the "
        "pier</h5>"
        "<button class=close data-dismiss=modal><span>×</span></button></div><div class=modal-body><p>Get the best "
        "of our "
        "stories in your inbox, twice a month, and never miss a tide again.</p><form><input "
        "type=email><button>Subscribe"
        "</button></form></div></div></div></div>"
    ),
    "newsletter, Bootstrap 5": (
        "<div class='modal fade' id=subscribe tabindex=-1 aria-labelledby=l aria-hidden=true><div "
        "class=modal-dialog><div "
        "class=modal-content><h5 class=modal-title id=l>Letters from the pier</h5><p>Get the best of our stories in "
        "your "
        "inbox, twice a month.</p><input type=email><button>Subscribe</button></div></div></div>"
    ),
    "newsletter, Popup Maker": (
        "<div id=pum-812 role=dialog aria-modal=false class='pum pum-overlay pum-theme-lightbox popmake-overlay'><div "
        "class='pum-container popmake'><div class='pum-content popmake-content'><h3>Before you go</h3><p>Join eleven "
        "thousand readers who get our letter every Friday.</p><form><input type=email></form></div><button "
        "class='pum-close popmake-close'>Close</button></div></div>"
    ),
}
"""Other dialogs that pages carry along."""

RECIPE = (
    "<h2>Ingredients</h2><ul><li>200 g of butter<li>150 g of sugar<li>300 g of flour</ul><h2>Method</h2><p>Beat "
    "the butter "
    "with the sugar, then stir in the flour. Shape the cookies, and bake them until their rims are golden.</p>"
    "<button>Print</button>"
)
CHAPTER = (
    "<p>A cookie is a small piece of data that a server sends to a browser. The browser keeps it and sends it "
    "back with "
    "later requests to the same site, so that a server knows that two requests came from one visitor.</p><p>Consent is "
    "needed by the <a href=/gdpr>GDPR</a> unless the cookie is necessary.</p>"
)
NO_OVERLAYS: Final[dict[str, str]] = {
    "a recipe": f"<div class='recipe-card cookie-recipe'>{RECIPE}</div>",
    "a recipe that is only called cookie": f"<div class=cookie>{RECIPE}</div>",
    "a cookie in a shop": (
        "<div class='cookie-box'><h3>Oat cookie</h3><p>Chewy, with raisins. Sold by weight.</p><button>Add to "
        "cart</button></div>"
    ),
    "a chapter of a manual": f"<section id=cookies><h2>Cookies</h2>{CHAPTER}</section>",
    "a chapter with code": (
        f"<section id=cookie-banner><h2>The banner</h2>{CHAPTER}<pre>show()</pre><button>Copy</button></section>"
    ),
    "a chapter about the GDPR": f"<section id=gdpr><h2>GDPR</h2>{CHAPTER}</section>",
    "an entry with a tag": (
        "<div class='post type-post tag-gdpr category-consent'><h2>What the GDPR asks of you</h2><p>Consent, a "
        "record of "
        "it, and patience. <a href=/more>Read more</a></p><button>Share</button></div>"
    ),
    "a policy": (
        f"<div class=cookie-policy><h2>Cookies that we set</h2>{CHAPTER}<button class=ot-sdk-show-settings>Cookie "
        "settings</button></div>"
    ),
    "a declaration": (
        f"<div class=CookieDeclaration><p>{CHAPTER}<a href=# id=CookieDeclarationChangeConsentChange>Change your "
        "consent</a></p><table><tr><td>sid<td>Keeps you logged in<td>1 day</table></div>"
    ),
    "an article that says so": f"<article class='cookie-consent-post'>{CHAPTER}<button>Share</button></article>",
}
"""What is no overlay, though its names, its words or its buttons are those of one."""
